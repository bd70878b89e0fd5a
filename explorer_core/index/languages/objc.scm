(class_interface . (identifier) @name) @definition.class
(class_implementation . (identifier) @name) @definition.class
(protocol_declaration . (identifier) @name) @definition.interface
(method_declaration (method_type) . (identifier) @name) @definition.method
(method_definition (method_type) . (identifier) @name (compound_statement) @body) @definition.method
(method_definition (method_type (type_name (type_identifier) @returns)) . (identifier) @name) @returns.of
(property_declaration (struct_declaration (type_identifier)? @returns (struct_declarator [(identifier) @name (pointer_declarator declarator: (identifier) @name)]))) @definition.property
(function_definition declarator: [
  (function_declarator declarator: (identifier) @name)
  (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))] body: (_) @body) @definition.function
(translation_unit (declaration declarator: (init_declarator declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name)])) @definition.variable)
(preproc_def name: (identifier) @name) @definition.macro
(preproc_function_def name: (identifier) @name) @definition.macro
(enumerator name: (identifier) @name) @definition.constant

(class_interface superclass: (identifier) @supertype.extends)
(class_interface (parameterized_arguments (type_name (type_identifier) @supertype.implements)))
(protocol_declaration (protocol_reference_list (identifier) @supertype.extends))

(method_parameter (identifier) @local)
(parameter_declaration declarator: [(identifier) @local (pointer_declarator declarator: (identifier) @local)])
(declaration declarator: (init_declarator declarator: [(identifier) @local (pointer_declarator declarator: (identifier) @local)]))
(declaration declarator: [(identifier) @local (pointer_declarator declarator: (identifier) @local)])

(identifier) @reference.read
(field_expression) @reference.read
(call_expression function: (identifier) @reference.call)
(message_expression receiver: (_) @receiver . method: (identifier) @reference.call)
(argument_list (identifier) @reference.argument)
(type_identifier) @reference.type

(method_parameter (method_type (type_name (type_identifier) @type.annotation)) . (identifier) @name)
(declaration type: (type_identifier) @type.annotation declarator: (init_declarator declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name)]))
(declaration type: (type_identifier) @type.annotation declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name)])

(preproc_include path: (_) @module) @import
