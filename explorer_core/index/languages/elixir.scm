((call target: (identifier) @_def (arguments . (alias) @name) (do_block) @body) @definition.class
  (#eq? @_def "defmodule"))
((call target: (identifier) @_def (arguments . (alias) @name) (do_block) @body) @definition.interface
  (#eq? @_def "defprotocol"))
((call target: (identifier) @_def (arguments . (alias) @name) (do_block) @body) @definition.class
  (#eq? @_def "defimpl"))
((call target: (identifier) @_def (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: (identifier) @name operator: "when")
    (binary_operator left: (call target: (identifier) @name) operator: "when")])
  (do_block)? @body) @definition.function
  (#any-of? @_def "def" "defp" "defguard" "defguardp" "defdelegate"))
((call target: (identifier) @_def (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: (call target: (identifier) @name) operator: "when")])
  (do_block)? @body) @definition.macro
  (#any-of? @_def "defmacro" "defmacrop"))
((unary_operator operand: (call target: (identifier) @name (arguments . [(integer) (float) (string) (list) (map) (atom) (boolean) (call) (sigil) (tuple)]))) @definition.constant
  (#not-match? @name "^(moduledoc|doc|typedoc|impl|spec|type|typep|opaque|callback|macrocallback|behaviour)$"))
((unary_operator operand: (call target: (identifier) @_kind (arguments . (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "::")))) @definition.type
  (#any-of? @_kind "type" "typep" "opaque"))
((unary_operator operand: (call target: (identifier) @_kind (arguments . (binary_operator left: (call target: (identifier) @name) operator: "::")))) @definition.method
  (#any-of? @_kind "callback" "macrocallback"))

((call target: (identifier) @_use (arguments . (alias) @supertype.extends))
  (#eq? @_use "use"))
((unary_operator operand: (call target: (identifier) @_of (arguments . (alias) @supertype.implements)))
  (#eq? @_of "behaviour"))

(call target: [(identifier) (dot)] @called (arguments . (string) @name) (do_block) @function) @definition.callback
((unary_operator operator: "@" operand: (call target: (identifier) @_before)) @attribute
  (#any-of? @_before "doc" "typedoc" "spec" "impl" "deprecated"))
(anonymous_function) @scope
(stab_clause left: (arguments (identifier) @local))
(binary_operator left: (identifier) @local operator: "=")
(binary_operator left: (tuple (identifier) @local) operator: ["=" "<-"])
(binary_operator left: (identifier) @local operator: "<-")
((call target: (identifier) @_def (arguments . [
    (call (arguments (identifier) @local))
    (call (arguments (binary_operator left: (identifier) @local operator: "\\\\")))
    (call (arguments (binary_operator right: (identifier) @local operator: "=")))
    (binary_operator left: (call (arguments (identifier) @local)))]))
  (#any-of? @_def "def" "defp" "defmacro" "defmacrop"))

(call target: (identifier) @reference.call)
(call target: (dot) @reference.read)
(call target: (dot left: (alias)) @reference.call)
(call target: (dot) @reference.call (arguments))
(binary_operator operator: "|>" right: (identifier) @reference.call)
(unary_operator operator: "&" operand: (binary_operator left: [(identifier) (call target: (dot))] @reference.argument operator: "/"))
(alias) @reference.type
(struct (alias) @reference.construct)
; Patterns of destructuring, and types.
((call target: (identifier) @_def (arguments . [
    (call (arguments) @pattern)
    (binary_operator left: (call (arguments) @pattern) operator: "when")]))
  (#any-of? @_def "def" "defp" "defmacro" "defmacrop" "defguard" "defguardp"))
(binary_operator left: [(map) (tuple) (list)] @pattern operator: ["=" "<-"])
(stab_clause left: [
  (arguments [(map) (tuple) (list)] @pattern)
  (binary_operator left: (arguments [(map) (tuple) (list)] @pattern) operator: "when")])
((unary_operator operator: "@" operand: (call target: (identifier) @_spec (arguments) @pattern))
  (#any-of? @_spec "spec" "callback" "macrocallback" "type" "typep" "opaque"))
(unary_operator operator: "@" operand: (identifier) @reference.read)
((unary_operator operand: (call target: (identifier) @_spec (arguments . [
    (binary_operator left: (call target: (identifier) @label) operator: "::")
    (binary_operator left: (binary_operator left: (call target: (identifier) @label) operator: "::") operator: "when")])))
  (#any-of? @_spec "spec" "callback" "macrocallback" "type" "typep" "opaque"))
((call target: (identifier) @label)
  (#any-of? @label "def" "defp" "defmodule" "defmacro" "defmacrop" "alias" "import" "use" "require" "defstruct" "defimpl" "defprotocol" "quote" "unquote" "case" "cond" "with" "if" "unless" "for" "raise" "moduledoc" "doc" "impl" "spec" "type" "typep" "callback" "behaviour"))

((call target: (identifier) @_alias (arguments . (alias) @tree)) @import
  (#any-of? @_alias "alias" "require"))
((call target: (identifier) @_alias (arguments . (alias) @tree (keywords (pair key: (keyword) @_as value: (alias) @alias)))) @import
  (#any-of? @_alias "alias" "require"))
((call target: (identifier) @_alias (arguments . (dot) @tree)) @import
  (#eq? @_alias "alias"))
((call target: (identifier) @_import (arguments . (alias) @module) @wildcard) @import
  (#any-of? @_import "import" "use"))
