; Implementations and categories are parts of a type that is declared elsewhere.
(class_interface . (identifier) @name superclass: (_)) @definition.class
(class_interface . (identifier) @owner !superclass) @region
(class_implementation . (identifier) @owner) @region
(protocol_declaration . (identifier) @name) @definition.interface
(method_declaration (method_type)? . (identifier) @name) @definition.method
(method_definition . (_)? . (identifier) @name (_) @body .) @definition.method
(method_declaration (method_type (type_name [(type_identifier) (generic_specifier)] @returns)) . (identifier) @name) @returns.of
(method_definition . (_ (type_name [(type_identifier) (generic_specifier)] @returns)) . (identifier) @name) @returns.of
(struct_declaration [(type_identifier) @returns (generic_specifier) @returns (_ (protocol_reference_list . (identifier) @returns .))] (struct_declarator [
  (identifier) @name
  (pointer_declarator declarator: (identifier) @name)])) @returns.of
(instance_variable (struct_declaration (struct_declarator [
  (identifier) @name
  (pointer_declarator declarator: (identifier) @name)
  (function_declarator declarator: (parenthesized_declarator (_ declarator: (identifier) @name)))]))) @definition.field
(property_declaration (struct_declaration (struct_declarator [
  (identifier) @name
  (pointer_declarator declarator: (identifier) @name)
  (function_declarator declarator: (parenthesized_declarator (_ declarator: (identifier) @name)))]))) @definition.property
(function_definition type: (_) @returns declarator: [
  (_ . declarator: (identifier) @name parameters: (_))
  (_ declarator: (_ . declarator: (identifier) @name parameters: (_)))] body: (_) @body) @definition.function @file
(translation_unit (declaration type: (_) @returns declarator: [
  (_ . declarator: (identifier) @name parameters: (_))
  (_ . "*" (type_qualifier)* declarator: (_ . declarator: (identifier) @name parameters: (_)))]) @definition.function)
([(translation_unit (declaration type: (_) @returns declarator: [
    (identifier) @name
    (_ . "*" declarator: (identifier) @name)
    (array_declarator declarator: (identifier) @name)
    (_ . declarator: [(identifier) @name (_ . "*" declarator: (identifier) @name)] value: (_))]) @definition.variable)
  (implementation_definition (declaration type: (_) @returns declarator: (init_declarator declarator: [(identifier) @name (_ declarator: (identifier) @name)])) @definition.variable @file)])
(preproc_def name: (identifier) @name) @definition.constant @file
(preproc_function_def name: (identifier) @name) @definition.macro @file
(preproc_def value: (preproc_arg) @macro)
(preproc_function_def value: (preproc_arg) @macro)
(struct_specifier name: (type_identifier) @name body: (_) @body) @definition.struct
(enum_specifier name: (type_identifier) @name body: (_) @body) @definition.enum
(enumerator name: (identifier) @name) @definition.constant
(type_definition declarator: [
  (type_identifier) @name
  (_ declarator: [(type_identifier) @name (_ (_ declarator: (type_identifier) @name))])]) @definition.type
(type_definition type: [(struct_specifier !name body: (_) @body) (enum_specifier !name body: (_) @body)] declarator: (type_identifier) @name) @definition.struct
(field_declaration type: (_) @returns declarator: [(field_identifier) @name (_ declarator: (field_identifier) @name)]) @definition.field

(class_interface superclass: (identifier) @supertype.extends)
(class_interface (parameterized_arguments (type_name (type_identifier) @supertype.implements)))
(protocol_declaration (protocol_reference_list (identifier) @supertype.extends))

(compound_statement) @block
(block_literal) @scope
(method_parameter (identifier) @local)
(parameter_declaration declarator: [(identifier) @local (_ declarator: (identifier) @local)])
(compound_statement (declaration declarator: [
  (identifier) @local
  (_ . "*" declarator: (identifier) @local)
  (_ . declarator: [(identifier) @local (_ declarator: [(identifier) @local (_ (_ declarator: (identifier) @local))])])]))
(for_statement . "for" . "(" . (_) . [(identifier) @local (pointer_declarator declarator: (identifier) @local)])
(for_statement initializer: (_ declarator: (_ . declarator: (identifier) @local)))
(catch_clause (type_name (_ declarator: (identifier) @local)))
(preproc_params (identifier) @local)

(identifier) @reference.read
(field_expression) @reference.read
(call_expression function: [(identifier) (field_expression)] @reference.call)
; All parts of a selector together identify the method.
(message_expression receiver: (_) @receiver . method: (identifier) @reference.call @arguments (":" (_) . method: (identifier) @arguments)*)
(message_expression method: (identifier) method: (identifier) @label)
(method_declaration (method_parameter) . (identifier) @label)
(method_definition (method_parameter) . (identifier) @label)
(property_attribute . (identifier) @label)
(argument_list (identifier) @reference.argument)
(type_identifier) @reference.type
((message_expression receiver: (identifier) @reference.type)
  (#match? @reference.type "^[A-Z]"))

(method_parameter (method_type (type_name [(type_identifier) @type.annotation (generic_specifier) @type.annotation (_ (protocol_reference_list . (identifier) @type.annotation .))])) . (identifier) @name)
(parameter_declaration type: [(type_identifier) (generic_specifier)] @type.annotation declarator: [(identifier) @name (_ . "*" declarator: (identifier) @name)])
(compound_statement (declaration type: [(type_identifier) (generic_specifier)] @type.annotation declarator: [
  (identifier) @name
  (_ . "*" declarator: (identifier) @name)
  (_ . declarator: [(identifier) @name (_ . "*" declarator: (identifier) @name)])]))
(for_statement . "for" . "(" . (type_identifier) @type.annotation . [(identifier) @name (pointer_declarator declarator: (identifier) @name)])
(declaration type: (typeof_specifier) declarator: (_ . declarator: (identifier) @name value: (identifier) @type.alias))

(class_declaration (identifier) @declared)
(protocol_forward_declaration (identifier) @declared)
(preproc_include path: (_) @module) @import
