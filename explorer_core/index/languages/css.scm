(rule_set (selectors) @name (block) @body) @definition.section
(keyframes_statement (keyframes_name) @name) @definition.section
((declaration (property_name) @name) @definition.constant (#match? @name "^--"))
((call_expression (function_name) @_var (arguments (plain_value) @reference.read)) (#eq? @_var "var"))
(import_statement (string_value (string_content) @module)) @import
