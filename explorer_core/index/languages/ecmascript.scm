; Shared by JavaScript and TypeScript.

(class_declaration name: (_) @name body: (_) @body) @definition.class
(class name: (_) @name body: (_) @body) @definition.class
(function_declaration name: (identifier) @name body: (_) @body) @definition.function
(generator_function_declaration name: (identifier) @name body: (_) @body) @definition.function
(class_body (method_definition name: [(property_identifier) (private_property_identifier) (string)] @name body: (_) @body) @definition.method)
(object (method_definition name: (property_identifier) @name body: (_) @body) @definition.method)
(method_definition ["get" "set"] name: [(property_identifier) (private_property_identifier)] @name body: (_) @body) @definition.property
(lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @definition.constant)
(lexical_declaration kind: "let" (variable_declarator name: (identifier) @name) @definition.variable)
(variable_declaration (variable_declarator name: (identifier) @name) @definition.variable)
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @definition.class
(variable_declarator name: (identifier) @name value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)
  (generator_function body: (_) @body)]) @definition.function
; A constant inside a function that a call makes from a function: `const load = keep(() => { ... }, [])`.
((statement_block (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name value: (_
  . function: [(identifier) (member_expression object: (identifier) @_of)]
  arguments: (arguments . [
    (arrow_function body: (statement_block) @body)
    (function_expression body: (_) @body)
    (_ . function: (identifier) arguments: (arguments . [
      (arrow_function body: (statement_block) @body) (function_expression body: (_) @body)]))]))) @definition.constant))
  (#match? @_of "^[A-Z]"))
((assignment_expression left: (_ . object: (_) @owner property: (property_identifier) @name)) @definition.variable
  (#any-of? @owner "exports" "module.exports"))
((program (expression_statement (_
    . left: (_ . object: (identifier) @owner property: (property_identifier) @name) "="
    right: [(call_expression) (new_expression) (array) (number) (string) (template_string) (regex) (true) (false) (null)])
    @definition.variable))
  (#not-eq? @owner "module"))
((assignment_expression
  left: (_ . object: (_) @owner property: [(property_identifier) (private_property_identifier)] @name)
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)]) @definition.function
  (#not-eq? @owner "module"))
(assignment_expression
  left: (_ . object: (_) @owner index: (string (string_fragment) @name))
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.function
((expression_statement (_ . left: (_ . object: (identifier) @owner property: (property_identifier) @name) "="
  right: [(arrow_function body: (_) @body) (function_expression !name body: (_) @body) (class !name body: (_) @body)])) @definition.function
  (#eq? @owner "module"))
(assignment_expression
  left: (_ . object: (_) @owner property: (property_identifier) @name) @definition.function
  right: (_ . left: (_) "=" right: [(arrow_function) (function_expression)]))
(variable_declarator name: (identifier) @name value: (_ . left: (_) "=" right: [
  (arrow_function body: (_) @body) (function_expression body: (_) @body)])) @definition.function
(assignment_expression left: (identifier) @name right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.function
(pair key: [(property_identifier) (string (string_fragment) @name)] @name value: [
  (arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method
; The same of what an object has that a function makes: `return { load: keep(() => { ... }, []) }`.
((return_statement (object (pair key: (property_identifier) @name value: (_
  . function: [(identifier) (member_expression object: (identifier) @_of)]
  arguments: (arguments . [
    (arrow_function body: (statement_block) @body)
    (function_expression body: (_) @body)]))) @definition.method))
  (#match? @_of "^[A-Z]"))
(export_statement "default" @name value: [
  (arrow_function body: (_) @body) (function_expression !name body: (_) @body)]) @definition.function
(export_statement "default" @name value: (class !name body: (_) @body)) @definition.class
(export_statement declaration: (_ (variable_declarator name: (object_pattern [
  (shorthand_property_identifier_pattern) @name
  (pair_pattern value: (identifier) @name)])) @definition.constant))
(export_statement "default" @name value: [(object) (call_expression) (new_expression)]) @definition.variable
(expression_statement (call_expression
  function: (member_expression) @called
  arguments: (arguments . [(string) (template_string)] @name [
    (arrow_function) @function
    (function_expression) @function
    (_ . function: (_) arguments: (arguments [(arrow_function) (function_expression)] @function))])) @definition.callback)

(export_statement declaration: (_ name: (_) @name)) @extent
(export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name))) @extent
(export_statement declaration: (variable_declaration (variable_declarator name: (identifier) @name))) @extent
(lexical_declaration (variable_declarator name: (identifier) @name)) @extent
(variable_declaration (variable_declarator name: (identifier) @name)) @extent

(export_statement "default" @default value: (identifier) @exported) @export
(export_statement "default" @default declaration: (_ name: (_) @exported)) @export
((variable_declarator name: (identifier) @exported value: (_
  . left: (_ . object: (identifier) @_module property: (property_identifier) @_exports) "=")) @export @default
  (#eq? @_module "module") (#eq? @_exports "exports"))
((variable_declarator name: (identifier) @exported value: (identifier) @_exports) @export @default
  (#eq? @_exports "exports"))
((variable_declarator name: (identifier) @exported value: (_ . object: (identifier) @_module property: (property_identifier) @_exports)) @export @default
  (#eq? @_module "module") (#eq? @_exports "exports"))
((variable_declarator name: (identifier) @exported value: (_ . left: (_) "=" right: (_
  . left: (_ . object: (identifier) @_module property: (property_identifier) @_exports) "="))) @export @default
  (#eq? @_module "module") (#eq? @_exports "exports"))
((expression_statement (_ . left: (_ . object: (identifier) @_module property: (property_identifier) @exported) "="
  right: [(arrow_function) (function_expression !name) (class !name)])) @export @default
  (#eq? @_module "module") (#eq? @exported "exports"))
(export_statement !source (export_clause (export_specifier name: (_) @exported alias: (_)? @alias))) @export
((assignment_expression
  left: (_ . object: (identifier) @_module property: (property_identifier) @_exports)
  right: [(identifier) @exported (function_expression name: (identifier) @exported) (class name: (_) @exported)
          (new_expression constructor: (identifier) @exported)]) @export @default
  (#eq? @_module "module") (#eq? @_exports "exports"))
((assignment_expression
  left: (_ . object: (identifier) @_module property: (property_identifier) @_exports)
  right: (object [
    (shorthand_property_identifier) @exported
    (pair key: (property_identifier) @alias value: (identifier) @exported)])) @export
  (#eq? @_module "module") (#eq? @_exports "exports"))
((assignment_expression
  left: (_ . object: (_) @_exports property: (property_identifier) @alias)
  right: (identifier) @exported) @export
  (#any-of? @_exports "exports" "module.exports"))

((assignment_expression left: (_ . object: (_) @owner property: (property_identifier) @_prototype) right: (object) @region)
  (#eq? @_prototype "prototype"))
((arguments . (_ . object: (_) @owner property: (property_identifier) @_prototype) (object) @region)
  (#eq? @_prototype "prototype"))
((assignment_expression
  left: (_ . object: (_) @owner property: (property_identifier) @_prototype)
  right: [
    (new_expression constructor: [(identifier) (member_expression)] @supertype.extends)
    (_ . function: (_) arguments: (arguments . (_
      . object: [(identifier) (member_expression)] @supertype.extends property: (property_identifier) @_its)))])
  (#eq? @_prototype "prototype") (#eq? @_its "prototype"))
((assignment_expression
  left: (_
    . object: (_ . object: (_) @owner property: (property_identifier) @_prototype) property: (property_identifier) @_proto)
  right: (_ . object: [(identifier) (member_expression)] @supertype.extends property: (property_identifier) @_its))
  (#eq? @_prototype "prototype") (#eq? @_proto "__proto__") (#eq? @_its "prototype"))
((call_expression
  function: (_ . object: [(identifier) (member_expression)] @supertype.called property: (property_identifier) @_call)
  arguments: (arguments . (this)))
  (#any-of? @_call "call" "apply"))
((call_expression arguments: (arguments
    . (_ . object: (_) @owner property: (property_identifier) @_prototype)
    . (_ . object: [(identifier) (member_expression)] @supertype.extends property: (property_identifier) @_its)))
  (#eq? @_prototype "prototype") (#eq? @_its "prototype"))

(rest_pattern (identifier) @local)
(shorthand_property_identifier_pattern) @local
(object_assignment_pattern left: (shorthand_property_identifier_pattern) @local)
(pair_pattern value: [(identifier) @local (assignment_pattern left: (identifier) @local)])
(array_pattern [(identifier) @local (assignment_pattern left: (identifier) @local)])
(arrow_function parameter: (identifier) @local)
(catch_clause parameter: (identifier) @local)
(variable_declarator name: (identifier) @local)
(for_in_statement left: (identifier) @local)
(arrow_function) @scope
(function_expression) @scope
[(statement_block) (for_statement) (for_in_statement) (catch_clause) (switch_body)] @block
(variable_declaration (variable_declarator name: (_) @hoisted))
(for_in_statement kind: "var" left: (_) @hoisted)
(arrow_function parameter: (identifier) @lambda.parameter @list) @function
(object (method_definition) @lambda.member)
(object (pair value: [(arrow_function) (function_expression)] @lambda.member))

(assignment_expression left: [(identifier) (member_expression)] @reference.read)
(augmented_assignment_expression left: [(identifier) (member_expression)] @reference.read)
(array_pattern (member_expression) @reference.read)
(variable_declarator
  name: (object_pattern [
    (shorthand_property_identifier_pattern) @reference.read
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @reference.read)
    (pair_pattern key: (property_identifier) @reference.read)])
  value: [
    (identifier) @owner
    (member_expression) @owner
    (this) @owner
    (call_expression) @owner
    (await_expression (call_expression) @owner)])
(for_in_statement
  left: (object_pattern [
    (shorthand_property_identifier_pattern) @reference.read
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @reference.read)
    (pair_pattern key: (property_identifier) @reference.read)])
  operator: "of" right: [(identifier) (member_expression) (call_expression)] @owner.each)
(primary_expression/identifier) @reference.use
(primary_expression/member_expression) @reference.use
(call_expression function: [(identifier) (member_expression) (super)] @reference.call)
((call_expression function: (_ . object: [(identifier) (member_expression)] @reference.call property: (property_identifier) @_call))
  (#any-of? @_call "call" "apply"))
(new_expression constructor: [(identifier) (member_expression) (this)] @reference.construct)
(arguments [(identifier) (member_expression)] @reference.argument)
(array [(identifier) (member_expression)] @reference.table)
(pair value: [(identifier) (member_expression)] @reference.table)
(shorthand_property_identifier) @reference.table
(export_statement !source (export_clause (export_specifier name: (identifier) @reference.table)))
(decorator [(identifier) (member_expression)] @reference.decorator)
(decorator (_ . function: [(identifier) (member_expression)] @reference.decorator arguments: (_)))

(variable_declarator name: (identifier) @name value: [
  (new_expression constructor: [(identifier) (member_expression)] @type.construct)
  (await_expression (new_expression constructor: (_) @type.construct))])
(variable_declarator name: (identifier) @name value: [
  (_ . function: [(identifier) (member_expression)] @type.call arguments: (_))
  (await_expression (_ . function: [(identifier) (member_expression)] @type.call arguments: (_)))])
(export_statement "default" @name value: (new_expression constructor: [(identifier) (member_expression)] @type.construct))
(export_statement "default" @name value: (_ . function: [(identifier) (member_expression)] @type.call arguments: (_)))
(variable_declarator name: (identifier) @name value: [(identifier) (member_expression) (this)] @type.alias)
((assignment_expression
  left: (_ . object: (_) @_exports property: (property_identifier) @name)
  right: [(identifier) (member_expression)] @type.alias)
  (#any-of? @_exports "exports" "module.exports"))
(variable_declarator name: (identifier) @name value: (subscript_expression) @type.alias)
; Each of the alternative values of a variable or field (`a ?? b`, `c ? a : b`).
(variable_declarator name: (identifier) @name value: [
    (_ . left: (new_expression constructor: [(identifier) (member_expression)] @type.construct) operator: ["??" "||"])
    (_ . left: (_) operator: ["??" "||"] right: (new_expression constructor: [(identifier) (member_expression)] @type.construct))
    (_ . condition: (_) [consequence: (new_expression constructor: [(identifier) (member_expression)] @type.construct) alternative: (new_expression constructor: [(identifier) (member_expression)] @type.construct)])])
(assignment_expression
  left: (_ . object: (this) @self property: [(property_identifier) (private_property_identifier)] @field)
  right: [
    (new_expression constructor: [(identifier) (member_expression)] @type.construct)
    (_ . left: (new_expression constructor: [(identifier) (member_expression)] @type.construct) operator: ["??" "||"])
    (_ . left: (_) operator: ["??" "||"] right: (new_expression constructor: [(identifier) (member_expression)] @type.construct))
    (_ . condition: (_) [consequence: (new_expression constructor: [(identifier) (member_expression)] @type.construct) alternative: (new_expression constructor: [(identifier) (member_expression)] @type.construct)])])
(variable_declarator name: (identifier) @name value: [
    (_ . left: (_ . function: [(identifier) (member_expression)] @type.call arguments: (_)) operator: ["??" "||"])
    (_ . left: (_) operator: ["??" "||"] right: (_ . function: [(identifier) (member_expression)] @type.call arguments: (_)))
    (_ . condition: (_) [consequence: (_ . function: [(identifier) (member_expression)] @type.call arguments: (_)) alternative: (_ . function: [(identifier) (member_expression)] @type.call arguments: (_))])])
(assignment_expression
  left: (_ . object: (this) @self property: [(property_identifier) (private_property_identifier)] @field)
  right: [
    (_ . function: [(identifier) (member_expression)] @type.call arguments: (_))
    (await_expression (_ . function: [(identifier) (member_expression)] @type.call arguments: (_)))
    (_ . left: (_ . function: [(identifier) (member_expression)] @type.call arguments: (_)) operator: ["??" "||"])
    (_ . left: (_) operator: ["??" "||"] right: (_ . function: [(identifier) (member_expression)] @type.call arguments: (_)))
    (_ . condition: (_) [consequence: (_ . function: [(identifier) (member_expression)] @type.call arguments: (_)) alternative: (_ . function: [(identifier) (member_expression)] @type.call arguments: (_))])])
(variable_declarator name: (identifier) @name value: [
    (_ . left: [(identifier) (member_expression)] @type.alias operator: ["??" "||"])
    (_ . left: (_) operator: ["??" "||"] right: [(identifier) (member_expression)] @type.alias)
    (_ . condition: (_) consequence: [(identifier) (member_expression)] @type.alias)
    (_ . condition: (_) alternative: [(identifier) (member_expression)] @type.alias)])
(assignment_expression
  left: (_ . object: (this) @self property: [(property_identifier) (private_property_identifier)] @field)
  right: [
    (identifier) @type.alias
    (member_expression) @type.alias
    (_ . left: [(identifier) (member_expression)] @type.alias operator: ["??" "||"])
    (_ . left: (_) operator: ["??" "||"] right: [(identifier) (member_expression)] @type.alias)
    (_ . condition: (_) consequence: [(identifier) (member_expression)] @type.alias)
    (_ . condition: (_) alternative: [(identifier) (member_expression)] @type.alias)])
(for_in_statement left: (identifier) @name operator: "of"
  right: [(identifier) (member_expression) (call_expression) (subscript_expression)] @type.each)
(for_in_statement left: (array_pattern . (_) . (identifier) @name .) operator: "of"
  right: [(identifier) (member_expression) (call_expression)] @type.entry)
(for_in_statement left: (object_pattern [
  (shorthand_property_identifier_pattern) @name
  (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name)
  (pair_pattern key: (property_identifier) @key value: [
    (identifier) @name
    (assignment_pattern left: (identifier) @name)])])
  operator: "of" right: [(identifier) (member_expression) (call_expression)] @type.member_of_each)
(variable_declarator name: (object_pattern [
  (shorthand_property_identifier_pattern) @name
  (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name)
  (pair_pattern key: (property_identifier) @key value: [
    (identifier) @name
    (assignment_pattern left: (identifier) @name)])])
  value: [
    (identifier) @type.member
    (member_expression) @type.member
    (this) @type.member
    (call_expression) @type.member
    (await_expression (call_expression) @type.member)])
(variable_declarator name: (identifier) @name value: (object) @type.table)
(variable_declarator value: (object [
  (pair key: (property_identifier) @put value: [(identifier) (member_expression)] @type.alias)
  (spread_element "..." @put [(identifier) (member_expression)] @type.alias)]))
(return_statement (object [
  (shorthand_property_identifier) @put @type.alias
  (pair key: (property_identifier) @put value: [(identifier) (member_expression)] @type.alias)
  (spread_element "..." @put [(identifier) (member_expression)] @type.alias)]))
(arrow_function body: (parenthesized_expression (object [
  (shorthand_property_identifier) @put @type.alias
  (pair key: (property_identifier) @put value: [(identifier) (member_expression)] @type.alias)
  (spread_element "..." @put [(identifier) (member_expression)] @type.alias)])))
(variable_declarator value: (object (spread_element "..." @put (_ . function: [(identifier) (member_expression)] @type.call arguments: (_)))))
(variable_declarator value: (object (pair key: (property_identifier) @put value: (new_expression constructor: [(identifier) (member_expression)] @type.construct))))
(return_statement (object (pair key: (property_identifier) @put value: (new_expression constructor: [(identifier) (member_expression)] @type.construct))))
(return_statement (object (spread_element "..." @put (_ . function: [(identifier) (member_expression)] @type.call arguments: (_)))))
((variable_declarator value: (object (pair key: (property_identifier) @put value: (_ .
  function: (member_expression object: (member_expression) @type.alias property: (property_identifier) @_bound) arguments: (_))))) (#eq? @_bound "bind"))
((return_statement (object (pair key: (property_identifier) @put value: (_ .
  function: (member_expression object: (member_expression) @type.alias property: (property_identifier) @_bound) arguments: (_))))) (#eq? @_bound "bind"))
(variable_declarator name: (identifier) @name value: [(string) (template_string) (regex)] @type.literal)
(variable_declarator name: (identifier) @name value: (array) @type.listed)
(for_in_statement left: (identifier) @name operator: "of" right: (array) @type.each_listed)
(assignment_expression
  left: [(identifier) @name
         (_ . object: (this) @self property: [(property_identifier) (private_property_identifier)] @field)]
  right: [(string) (template_string) (regex)] @type.literal)
(assignment_expression
  left: [(identifier) @name
         (_ . object: (this) @self property: [(property_identifier) (private_property_identifier)] @field)]
  right: (array) @type.listed)
(variable_declarator name: (array_pattern) @type.pairs value: (array) @value)
(assignment_expression left: (identifier) @name right: (new_expression constructor: [(identifier) (member_expression)] @type.construct))
(assignment_expression left: (identifier) @name right: (_ . function: [(identifier) (member_expression)] @type.call arguments: (_)))

(import_statement . source: (string) @module) @import
(import_statement (import_clause (identifier) @default) source: (string) @module) @import
(import_statement (import_clause (namespace_import (identifier) @alias)) source: (string) @module) @import
(import_statement (import_clause (named_imports (import_specifier name: (_) @imported alias: (_)? @alias))) source: (string) @module) @import
(export_statement "*" @wildcard @reexport . "from" source: (string) @module) @import
(export_statement (namespace_export (_) @alias) @reexport source: (string) @module) @import
(export_statement (export_clause (export_specifier name: (_) @imported alias: (_)? @alias)) @reexport source: (string) @module) @import
((variable_declarator name: (identifier) @alias value: (_ . function: (identifier) @_require arguments: (arguments . (string) @module))) @import
  (#eq? @_require "require"))
((variable_declarator name: (identifier) @alias value: (_ . object: (_ . function: (identifier) @_require arguments: (arguments . (string) @module)) property: (property_identifier) @imported)) @import
  (#eq? @_require "require"))
((variable_declarator
  name: (object_pattern [
    (shorthand_property_identifier_pattern) @imported
    (pair_pattern key: (property_identifier) @imported value: (identifier) @alias)])
  value: (_ . function: (identifier) @_require arguments: (arguments . (string) @module))) @import
  (#eq? @_require "require"))
((assignment_expression
  left: (_ . object: (identifier) @_module property: (property_identifier) @_exports)
  right: (_ . function: (identifier) @_require arguments: (arguments . (string) @module))) @import @reexport @whole
  (#eq? @_module "module") (#eq? @_exports "exports") (#eq? @_require "require"))
((assignment_expression
  left: (_ . object: (_) @_exports property: (property_identifier) @alias)
  right: (_ . function: (identifier) @_require arguments: (arguments . (string) @module))) @import @reexport
  (#any-of? @_exports "exports" "module.exports") (#eq? @_require "require"))
((expression_statement (_ . function: (identifier) @_require arguments: (arguments . (string) @module))) @import
  (#eq? @_require "require"))
(call_expression function: (import) arguments: (arguments . (string) @module)) @import
(variable_declarator name: (identifier) @alias
  value: (await_expression (_ . function: (import) arguments: (arguments . (string) @module)))) @import
(variable_declarator
  name: (object_pattern [
    (shorthand_property_identifier_pattern) @imported
    (pair_pattern key: (property_identifier) @imported value: (identifier) @alias)])
  value: (await_expression (_ . function: (import) arguments: (arguments . (string) @module)))) @import

(if_statement
  condition: (parenthesized_expression [
    (_ . left: (identifier) @name operator: "instanceof" right: [(identifier) (member_expression)] @type.annotation)
    (_ . left: (_ . left: (identifier) @name operator: "instanceof" right: [(identifier) (member_expression)] @type.annotation) operator: "&&")
    (_ . left: (_) operator: "&&" right: (_ . left: (identifier) @name operator: "instanceof" right: [(identifier) (member_expression)] @type.annotation))])
  consequence: (_) @within)
(if_statement
  condition: (parenthesized_expression (unary_expression operator: "!" argument: (parenthesized_expression
    (_ . left: (identifier) @name operator: "instanceof" right: [(identifier) (member_expression)] @type.annotation))))
  consequence: [(statement_block [(return_statement) (throw_statement) (continue_statement) (break_statement)] .) (return_statement) (throw_statement) (continue_statement) (break_statement)]
  !alternative) @behind
(return_statement (new_expression constructor: [(identifier) (member_expression)] @type.construct))
(return_statement [
  (_ . function: [(identifier) (member_expression)] @type.call arguments: (_))
  (await_expression (_ . function: [(identifier) (member_expression)] @type.call arguments: (_)))])
(return_statement [(identifier) (member_expression) (this)] @type.alias)
(return_statement (object) @type.table)
(arrow_function body: (parenthesized_expression (object) @type.table))
(arrow_function body: (new_expression constructor: [(identifier) (member_expression)] @type.construct))
(arrow_function body: [
  (_ . function: [(identifier) (member_expression)] @type.call arguments: (_))
  (await_expression (_ . function: [(identifier) (member_expression)] @type.call arguments: (_)))])
(arrow_function body: [(identifier) (member_expression)] @type.alias)
; An event that a Vue component emits.
((call_expression
  function: [(identifier) @_emit (member_expression property: (property_identifier) @_emit)]
  arguments: (arguments . (string (string_fragment) @emitted)))
  (#any-of? @_emit "emit" "$emit"))
; A string argument that may name an event.
(arguments (string (string_fragment) @topic))
