(class_definition name: (identifier) @name body: (_) @body) @definition.class
(mixin_declaration (mixin) . (identifier) @name (class_body) @body) @definition.trait
(extension_declaration class: (_) @owner) @region
(extension_type_declaration name: (identifier) @name body: (_) @body) @definition.class
(enum_declaration name: (identifier) @name body: (_) @body) @definition.enum
(enum_constant name: (identifier) @name) @definition.constant
(type_alias . (type_identifier) @name) @definition.type

; A body is a sibling of its signature.
(function_signature name: (identifier) @name) @definition.function
(_ (function_signature name: (identifier) @name) @definition.function . (function_body) @body)
(_ (method_signature (function_signature name: (identifier) @name) @definition.function) . (function_body) @body)
(getter_signature name: (identifier) @name) @definition.property
(_ (getter_signature name: (identifier) @name) @definition.property . (function_body) @body)
(_ (method_signature (getter_signature name: (identifier) @name) @definition.property) . (function_body) @body)
(setter_signature name: (identifier) @name) @definition.property
(_ (setter_signature name: (identifier) @name) @definition.property . (function_body) @body)
(_ (method_signature (setter_signature name: (identifier) @name) @definition.property) . (function_body) @body)
(_ (method_signature (operator_signature (binary_operator) @name) @definition.function) . (function_body) @body)
(_ (method_signature (operator_signature (binary_operator) @name)) . (function_body) @extent)
(constructor_signature . name: (identifier) @name . parameters: (_)) @definition.constructor
(constructor_signature name: (identifier) . "." . name: (identifier) @name) @definition.constructor
(constant_constructor_signature (identifier) @name . (formal_parameter_list)) @definition.constructor
(factory_constructor_signature . (identifier) @name . (formal_parameter_list)) @definition.constructor
(factory_constructor_signature . (identifier) . "." . (identifier) @name) @definition.constructor
(_ (function_signature name: (identifier) @name) . (function_body) @extent)
(_ (getter_signature name: (identifier) @name) . (function_body) @extent)
(_ (setter_signature name: (identifier) @name) . (function_body) @extent)
(_ (method_signature (_ name: (identifier) @name)) . (function_body) @extent)
(_ (method_signature (factory_constructor_signature (identifier) @name . (formal_parameter_list))) . (function_body) @extent)
(_ (method_signature (constructor_signature name: (identifier) @name . parameters: (_))) @extent . (function_body))
(_ (method_signature (constructor_signature name: (identifier) @name . parameters: (_))) . (function_body) @extent)
(declaration (constructor_signature name: (identifier) @name . parameters: (_))) @extent
(declaration (constant_constructor_signature (identifier) @name . (formal_parameter_list))) @extent

(declaration (initialized_identifier_list (initialized_identifier . (identifier) @name))) @definition.variable
(declaration (static_final_declaration_list (static_final_declaration . (identifier) @name))) @definition.variable
(declaration (type_identifier) @returns . (initialized_identifier_list (initialized_identifier . (identifier) @name))) @definition.variable
(declaration (type_identifier) @returns . (static_final_declaration_list (static_final_declaration . (identifier) @name))) @definition.variable
(program (initialized_identifier_list (initialized_identifier . (identifier) @name)) @definition.variable)
(program (static_final_declaration_list (static_final_declaration . (identifier) @name)) @definition.variable)
(program (type_identifier) @returns . (initialized_identifier_list (initialized_identifier . (identifier) @name)) @definition.variable)
(function_signature (type_identifier) @returns . name: (identifier) @name) @returns.of
(getter_signature (type_identifier) @returns . name: (identifier) @name) @returns.of
((function_signature (type_identifier) @_of . (type_arguments . (type_identifier) @returns .) . name: (identifier) @name) @returns.of
  (#any-of? @_of "Future" "FutureOr"))

(class_body (annotation) @attribute)
(extension_body (annotation) @attribute)
(enum_body (annotation) @attribute)
(program (annotation) @attribute)
(function_expression) @scope

(superclass . (type_identifier) @supertype.extends .)
(superclass . (type_identifier) @supertype.extends . (type_arguments))
(superclass . (type_identifier) @supertype.extends . (mixins))
(superclass (type_identifier) . "." . (type_identifier) @supertype.extends)
(mixins (type_identifier) @supertype.extends)
(interfaces (type_identifier) @supertype.implements)
(mixin_declaration "on" (type_identifier) @supertype.extends)

(formal_parameter name: (identifier) @local)
(formal_parameter . (identifier) @local .)
(initialized_variable_definition name: (identifier) @local)
(initialized_identifier . (identifier) @local)
(for_loop_parts name: (identifier) @local)
(catch_parameters (identifier) @local)
(variable_pattern (identifier) @local)
(pattern_variable_declaration (_ (constant_pattern (identifier) @local)))
(type_parameter . (type_identifier) @local.type)
(type_parameter . (type_identifier) @name . (type_bound (type_identifier) @type.bound))

(identifier) @reference.use
; The grammar reads a call with one type argument as two comparisons.
(relational_expression . (relational_expression . (identifier) @reference.call . (relational_operator) . (identifier) .) . (relational_operator) . (parenthesized_expression) .)
(label (identifier) @label)
(dotted_identifier_list (identifier) @label)
(extension_declaration name: (identifier) @label)
(constructor_signature name: (identifier) @label . "." . name: (identifier))
(constant_constructor_signature (identifier) @label . ".")
(factory_constructor_signature . (identifier) @label . ".")
(constructor_param (this) @receiver (identifier) @reference.read)
(constant_pattern (qualified (type_identifier) @receiver . (identifier) @reference.read))
(selector (_ (identifier) @reference.use))
(_ [(identifier) (this) (super)] @receiver . (selector)* . (selector (_ (identifier) @reference.use)))
(_ [(identifier) (this) (super)] @receiver . (selector)* . (unconditional_assignable_selector (identifier) @reference.use))
(_ [(identifier) (this) (super)] @receiver . (selector)* . (cascade_section)* . (cascade_section (cascade_selector (identifier) @reference.use)))
(_ (type_identifier) @receiver . "." . (type_identifier) @reference.type)
([(new_expression (type_identifier) @receiver . "." . (identifier) @reference.call)
  (const_object_expression (type_identifier) @receiver . "." . (identifier) @reference.call)])
(new_expression (type_identifier) @reference.construct)
(const_object_expression (type_identifier) @reference.construct)
(argument . (identifier) @reference.argument .)
(named_argument (label) . (identifier) @reference.argument .)
(list_literal (identifier) @reference.table)
(pair value: (identifier) @reference.table .)
(annotation name: (identifier) @reference.decorator)
(type_identifier) @reference.type

(formal_parameter (type_identifier) @type.annotation . name: (identifier) @name)
(initialized_variable_definition (type_identifier) @type.annotation . name: (identifier) @name)
(for_loop_parts (type_identifier) @type.annotation . name: (identifier) @name)
(for_loop_parts name: (identifier) @name value: (identifier) @type.each .)
(initialized_variable_definition name: (identifier) @name value: (identifier) @type.call . value: (selector (argument_part)) .)
(initialized_variable_definition name: (identifier) @name
  value: [(identifier) (this)] @receiver . value: (selector)* . value: (selector (_ (identifier) @type.call)) . value: (selector (argument_part)) .)
(initialized_variable_definition name: (identifier) @name
  value: (unary_expression (await_expression . (identifier) @type.call . (selector (argument_part)) .)))
(initialized_variable_definition name: (identifier) @name
  value: (unary_expression (await_expression . [(identifier) (this)] @receiver . (selector)* . (selector (_ (identifier) @type.call)) . (selector (argument_part)) .)))
(initialized_variable_definition name: (identifier) @name value: (_ (type_identifier) @type.construct))
(initialized_variable_definition name: (identifier) @name value: (relational_expression . (relational_expression . (identifier) @type.call . (relational_operator) . (identifier) .) . (relational_operator) . (parenthesized_expression) .))
(static_final_declaration . (identifier) @name . (relational_expression . (relational_expression . (identifier) @type.call . (relational_operator) . (identifier) .) . (relational_operator) . (parenthesized_expression) .))
(initialized_identifier . (identifier) @name . (identifier) @type.call . (selector (argument_part)) .)
(initialized_identifier . (identifier) @name . (identifier) @receiver . (selector (_ (identifier) @type.call)) . (selector (argument_part)) .)
(static_final_declaration . (identifier) @name . (identifier) @type.call . (selector (argument_part)) .)
(static_final_declaration . (identifier) @name . (identifier) @receiver . (selector (_ (identifier) @type.call)) . (selector (argument_part)) .)

(library_import (import_specification (configurable_uri (uri (string_literal) @module)))) @import
(library_import (import_specification (configurable_uri (uri (string_literal) @module)) "as" (identifier) @alias)) @import
(library_export (configurable_uri (uri (string_literal) @module))) @import
(part_directive (uri (string_literal) @module)) @import @reexport
(part_of_directive (uri (string_literal) @module)) @import @reexport
(library_import (import_specification (uri (string_literal) @module) (identifier) @alias)) @import
(initializer_list_entry (super) @reference.call . (arguments) @arguments)
(initializer_list_entry (super) @receiver . (identifier) @reference.call . (arguments) @arguments)
(redirection (this) @reference.call . (arguments) @arguments)
(redirection (this) @receiver . (identifier) @reference.call . (arguments) @arguments)
