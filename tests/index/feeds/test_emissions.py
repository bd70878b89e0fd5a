"""From a component's emitted event to the handlers of the components that use it."""

from __future__ import annotations

import pytest

from tests.index.feeds.checking import changed, check

COMPONENTS = """
//- Editor.vue
<template><button @click="save" /><i @click="$emit('closed')" /></template>
<script setup lang="ts">
const emit = defineEmits(["saved", "name-changed", "closed"]);
function save() { emit("saved", 1); }
function rename(name) { emit("name-changed", name); log("saved"); }
</script>
//- Old.vue
<template><b /></template>
<script>
export default {
  setup(props, context) {
    const store = () => context.emit("saved", 2);
    return { store };
  },
};
</script>
//- Page.vue
<template>
  <div>
    <Editor @saved="reload" v-on:name-changed="rename($event, 1)" @closed="open = false" />
    <Old @saved.once="(one) => reload(one)" @click="reload" />
  </div>
</template>
<script setup lang="ts">
import Editor from "./Editor.vue";
import Old from "./Old.vue";
function reload() {}
function rename(name) {}
</script>
"""
SAVED = "Editor.vue:save feeds Page.vue:reload type"
RENAMED = "Editor.vue:rename feeds Page.vue:rename type"
STORED = "Old.vue:default.setup.store feeds Page.vue:reload type"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "", [SAVED, RENAMED, STORED]),
        ("<Editor ", "<editor ", [SAVED, RENAMED, STORED]),
        ("v-on:name-changed", "@nameChanged", [SAVED, RENAMED, STORED]),
        ('emit("name-changed"', 'emit("nameChanged"', [SAVED, RENAMED, STORED]),
        ("context.emit", "this.$emit", [SAVED, RENAMED, STORED]),
        (
            "open = false",
            "reload()",
            [SAVED, RENAMED, STORED, "Editor.vue:template feeds Page.vue:reload type"],
        ),
        # other events, other components, and no event at all
        ("@saved=", "@saved-all=", [RENAMED, STORED]),
        ("@saved=", ":saved=", [RENAMED, STORED]),
        ('"./Editor.vue"', '"elsewhere"', [STORED]),
        ('context.emit("saved"', 'context.tell("saved"', [SAVED, RENAMED]),
        ("context.emit(", "context.emit(name, ", [SAVED, RENAMED]),
    ],
)
def test_emitted_event_feeds_handler_of_parent_component(
    before: str, after: str, expected: list[str]
) -> None:
    check(changed(COMPONENTS, before, after), *expected)
