(abstract_class_declaration name: (_) @name body: (_) @body) @definition.class
(interface_declaration name: (_) @name body: (_) @body) @definition.interface
(type_alias_declaration name: (_) @name) @definition.type
(type_alias_declaration name: (_) @name value: [(type_identifier) (nested_type_identifier) (generic_type) (lookup_type)] @returns) @definition.type
(type_alias_declaration value: [(union_type) (intersection_type)] @type.parts)
(enum_declaration name: (_) @name body: (_) @body) @definition.enum
(enum_body (property_identifier) @name @definition.constant)
(enum_body (enum_assignment name: (_) @name) @definition.constant)
(internal_module name: (_) @name body: (_) @body) @definition.namespace
(module name: [(identifier) (nested_identifier)] @name body: (_) @body) @definition.namespace
(module name: (string (string_fragment) @name @whole) body: (_) @body) @definition.namespace
(function_signature name: (identifier) @name return_type: (type_annotation (_) @returns)?) @definition.function
(class_body (method_signature name: (_) @name return_type: (type_annotation (_) @returns)?) @definition.method)
(class_body (abstract_method_signature name: (_) @name return_type: (type_annotation (_) @returns)?) @definition.method)
(interface_body (method_signature name: (_) @name return_type: (type_annotation (_) @returns)?) @definition.method)
(interface_body (property_signature name: (_) @name type: (type_annotation (_) @returns)?) @definition.field)
(object_type (property_signature name: (property_identifier) @name type: (type_annotation (_) @returns)?) @definition.field)
(object_type (method_signature name: (property_identifier) @name return_type: (type_annotation (_) @returns)?) @definition.method)
(class_body (public_field_definition name: [(property_identifier) (private_property_identifier)] @name type: (type_annotation (_) @returns)?) @definition.field)
(class_body (public_field_definition name: [(property_identifier) (private_property_identifier)] @name value: [
  (arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method)
(required_parameter (accessibility_modifier) pattern: (identifier) @name type: (type_annotation (_) @returns)?) @definition.field @parameter
(required_parameter "readonly" pattern: (identifier) @name type: (type_annotation (_) @returns)?) @definition.field @parameter
(optional_parameter (accessibility_modifier) pattern: (identifier) @name type: (type_annotation (_) @returns)?) @definition.field @parameter
(optional_parameter "readonly" pattern: (identifier) @name type: (type_annotation (_) @returns)?) @definition.field @parameter
(function_declaration name: (identifier) @name return_type: (type_annotation (_) @returns) body: (_) @body) @definition.function
(method_definition name: [(property_identifier) (private_property_identifier)] @name return_type: (type_annotation (_) @returns)) @returns.of
(variable_declarator name: (identifier) @name value: (_ return_type: (type_annotation (_) @returns) "=>")) @returns.of
(variable_declarator name: (identifier) @name type: (type_annotation (_) @returns)) @returns.of
(ambient_declaration (_ name: (_) @name)) @extent
(ambient_declaration (module name: (string (string_fragment) @name))) @extent
(export_statement declaration: (ambient_declaration (_ name: (_) @name))) @extent
(export_statement declaration: (ambient_declaration (_ (variable_declarator name: (identifier) @name)))) @extent
(required_parameter type: (type_annotation (function_type) @unbound))
(optional_parameter type: (type_annotation (function_type) @unbound))

(class_heritage (extends_clause value: [(identifier) (member_expression)] @supertype.extends type_arguments: (_)? @given))
(class_heritage (extends_clause value: (call_expression arguments: (arguments . [(identifier) (member_expression)] @supertype.extends))))
(implements_clause (_) @supertype.implements)
(extends_type_clause type: (_) @supertype.extends)

(required_parameter pattern: (identifier) @local)
(optional_parameter pattern: (identifier) @local)
(type_parameter name: (type_identifier) @local.type)
(type_parameter !constraint name: (type_identifier) @name @type.bound)
(type_parameter name: (type_identifier) @name constraint: (constraint (_) @type.bound))

(type_identifier) @reference.type
(nested_type_identifier) @reference.type
(type_query [(identifier) (member_expression)] @reference.read)
(lookup_type . [(type_identifier) (nested_type_identifier)] @owner (literal_type (string (string_fragment) @reference.read)))
(call_expression function: (await_expression [(identifier) (member_expression)] @reference.call) type_arguments: (_))

(required_parameter pattern: (identifier) @name type: (type_annotation (_) @type.annotation))
(optional_parameter pattern: (identifier) @name type: (type_annotation (_) @type.annotation))
(required_parameter pattern: (rest_pattern (identifier) @name) type: (type_annotation (_) @type.annotation))
(required_parameter (accessibility_modifier) pattern: (identifier) @field type: (type_annotation (_) @type.annotation))
(required_parameter "readonly" pattern: (identifier) @field type: (type_annotation (_) @type.annotation))
(required_parameter pattern: (object_pattern [
  (shorthand_property_identifier_pattern) @name
  (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name)
  (pair_pattern key: (property_identifier) @key value: (identifier) @name)])
  type: (type_annotation [(type_identifier) (generic_type) (nested_type_identifier)] @type.member))
(required_parameter
  pattern: (object_pattern [
    (shorthand_property_identifier_pattern) @reference.read
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @reference.read)
    (pair_pattern key: (property_identifier) @reference.read)])
  type: (type_annotation [(type_identifier) (generic_type) (nested_type_identifier) (lookup_type)] @owner.type))
(variable_declarator name: (identifier) @name type: (type_annotation (_) @type.annotation))
(variable_declarator name: (identifier) @name value: (as_expression (_) (_) @type.annotation))
(variable_declarator name: (identifier) @name value: (non_null_expression [(identifier) (member_expression)] @type.alias))
(variable_declarator name: (identifier) @name value: (non_null_expression (_ . function: [(identifier) (member_expression)] @type.call arguments: (_))))
(variable_declarator name: (identifier) @name
  value: (new_expression constructor: [(identifier) (member_expression)] @receiver type_arguments: (_) @type.construct))
(public_field_definition name: [(property_identifier) (private_property_identifier)] @name value: [
  (new_expression constructor: (_) @type.construct)
  (new_expression constructor: [(identifier) (member_expression)] @receiver type_arguments: (_) @type.construct)])
(public_field_definition name: [(property_identifier) (private_property_identifier)] @name value: (_ . function: [(identifier) (member_expression)] @type.call arguments: (_)))
(variable_declarator name: (identifier) @name
  value: (_ . function: (await_expression [(identifier) (member_expression)] @type.call) type_arguments: (_) arguments: (_)))
(return_statement [
  (as_expression . (object) @type.table "const")
  (satisfies_expression . (object) @type.table)])
(return_statement (as_expression (_) (_) @type.annotation))
(arrow_function body: [
  (as_expression . (parenthesized_expression (object) @type.table) "const")
  (satisfies_expression . (parenthesized_expression (object) @type.table))
  (parenthesized_expression (as_expression . (object) @type.table "const"))
  (parenthesized_expression (satisfies_expression . (object) @type.table))])
(arrow_function body: [
  (as_expression (_) (_) @type.annotation)
  (parenthesized_expression (as_expression (_) (_) @type.annotation))])
(return_statement (_ . function: (await_expression [(identifier) (member_expression)] @type.call) type_arguments: (_) arguments: (_)))

(if_statement
  condition: (parenthesized_expression [
    (_ . function: [(identifier) (member_expression)] @type.guard arguments: (arguments . (identifier) @name))
    (_ . left: (_ . function: [(identifier) (member_expression)] @type.guard arguments: (arguments . (identifier) @name)) operator: "&&")
    (_ . left: (_) operator: "&&" right: (_ . function: [(identifier) (member_expression)] @type.guard arguments: (arguments . (identifier) @name)))])
  consequence: (_) @within)
(binary_expression left: (_ . function: [(identifier) (member_expression)] @type.guard arguments: (arguments . (identifier) @name)) operator: "&&") @within
(if_statement
  condition: (parenthesized_expression (unary_expression operator: "!" argument: (_ . function: [(identifier) (member_expression)] @type.guard arguments: (arguments . (identifier) @name))))
  consequence: [(statement_block [(return_statement) (throw_statement) (continue_statement) (break_statement)] .) (return_statement) (throw_statement) (continue_statement) (break_statement)]
  !alternative) @behind
(function_declaration name: (identifier) @name return_type: (type_predicate_annotation (_) @returns)) @returns.of
(function_signature name: (identifier) @name return_type: (type_predicate_annotation (_) @returns)) @returns.of
(variable_declarator name: (identifier) @name value: (_ return_type: (type_predicate_annotation (_) @returns) "=>")) @returns.of
(method_definition name: (property_identifier) @name return_type: (type_predicate_annotation (_) @returns)) @returns.of

(arrow_function parameters: (formal_parameters [
  (required_parameter !type pattern: [
    (identifier) @lambda.parameter
    (object_pattern [
      (shorthand_property_identifier_pattern) @lambda.parameter @key
      (object_assignment_pattern left: (shorthand_property_identifier_pattern) @lambda.parameter @key)
      (pair_pattern key: (property_identifier) @key value: [
        (identifier) @lambda.parameter
        (assignment_pattern left: (identifier) @lambda.parameter)])])])
  (optional_parameter !type pattern: (identifier) @lambda.parameter)] @item) @list) @function
(function_expression parameters: (formal_parameters [
  (required_parameter !type pattern: [
    (identifier) @lambda.parameter
    (object_pattern [
      (shorthand_property_identifier_pattern) @lambda.parameter @key
      (object_assignment_pattern left: (shorthand_property_identifier_pattern) @lambda.parameter @key)
      (pair_pattern key: (property_identifier) @key value: [
        (identifier) @lambda.parameter
        (assignment_pattern left: (identifier) @lambda.parameter)])])])
  (optional_parameter !type pattern: (identifier) @lambda.parameter)] @item) @list) @function
(method_definition parameters: (formal_parameters [
  (required_parameter !type pattern: [
    (identifier) @lambda.parameter
    (object_pattern [
      (shorthand_property_identifier_pattern) @lambda.parameter @key
      (object_assignment_pattern left: (shorthand_property_identifier_pattern) @lambda.parameter @key)
      (pair_pattern key: (property_identifier) @key value: [
        (identifier) @lambda.parameter
        (assignment_pattern left: (identifier) @lambda.parameter)])])])
  (optional_parameter !type pattern: (identifier) @lambda.parameter)] @item) @list) @function
(class !name
  (class_heritage (extends_clause value: (_) @expected)? (implements_clause (_)+ @expected)?)
  body: (class_body (method_definition name: (_) @name) @lambda.member))
(object (pair key: [(property_identifier) @lambda.key (string (string_fragment) @lambda.key)])) @object
(object (shorthand_property_identifier) @lambda.key) @object
(interface_body (call_signature parameters: (_) @list) @lambda.signature)
(type_alias_declaration value: (function_type parameters: (_) @list) @lambda.signature)
(type_alias_declaration value: (object_type (call_signature parameters: (_) @list) @lambda.signature))

(import_statement (import_require_clause (identifier) @alias source: (string) @module)) @import
(program (export_statement "=" (identifier) @exported) @export @default)
(module body: (_ (export_statement "=" (identifier) @exported) @export @default @inside))
(class_body (decorator) @attribute)
