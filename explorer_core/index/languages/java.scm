(package_declaration (_) @package)

(class_declaration name: (identifier) @name body: (_) @body) @definition.class
(record_declaration name: (identifier) @name body: (_) @body) @definition.class
(interface_declaration name: (identifier) @name body: (_) @body) @definition.interface
(annotation_type_declaration name: (identifier) @name body: (_) @body) @definition.interface
(enum_declaration name: (identifier) @name body: (_) @body) @definition.enum
(enum_constant name: (identifier) @name) @definition.constant
(method_declaration type: (_) @returns name: (identifier) @name body: (_)? @body) @definition.method
(annotation_type_element_declaration type: (_) @returns name: (identifier) @name) @definition.method
(constructor_declaration name: (identifier) @name body: (_) @body) @definition.constructor
(compact_constructor_declaration name: (identifier) @name body: (_) @body) @definition.constructor
(field_declaration type: (_) @returns declarator: (variable_declarator name: (identifier) @name)) @definition.variable
(constant_declaration type: (_) @returns declarator: (variable_declarator name: (identifier) @name)) @definition.constant
(record_declaration parameters: (formal_parameters (formal_parameter type: (_) @returns name: (identifier) @name) @definition.field))
(object_creation_expression (class_body)) @scope
(object_creation_expression type: (_) @expected (class_body (method_declaration name: (_) @name) @lambda.member))
(lambda_expression) @scope
[(block) (for_statement) (enhanced_for_statement) (try_with_resources_statement) (catch_clause) (switch_block) (switch_rule)] @block
(lambda_expression parameters: (identifier) @lambda.parameter @list) @function
(lambda_expression parameters: (inferred_parameters (identifier) @lambda.parameter @item) @list) @function

(superclass (_) @supertype.extends)
(super_interfaces (type_list (_) @supertype.implements))
(extends_interfaces (type_list (_) @supertype.extends))

(formal_parameter name: (identifier) @local)
(spread_parameter (variable_declarator name: (identifier) @local))
(local_variable_declaration declarator: (variable_declarator name: (identifier) @local))
(enhanced_for_statement name: (identifier) @local)
(catch_formal_parameter name: (identifier) @local)
(resource name: (identifier) @local)
(lambda_expression parameters: (identifier) @local)
(inferred_parameters (identifier) @local)
(instanceof_expression name: (identifier) @local)
(type_pattern (identifier) @local)
(record_pattern_component (identifier) @local)
(type_parameter (type_identifier) @local.type)
(type_parameter . (type_identifier) @name @type.bound .)
(type_parameter (type_identifier) @name (type_bound (_) @type.bound))

(identifier) @reference.read
(field_access) @reference.read
(method_invocation !object name: (identifier) @reference.call arguments: (_) @arguments)
(method_invocation object: (_) @receiver !type_arguments name: (identifier) @reference.call arguments: (_) @arguments)
(method_invocation object: (_) @owner type_arguments: (_) name: (identifier) @reference.call arguments: (_) @arguments)
(explicit_constructor_invocation constructor: [(this) (super)] @reference.call arguments: (_) @arguments)
(object_creation_expression type: [(type_identifier) (scoped_type_identifier)] @reference.construct arguments: (_) @arguments)
(object_creation_expression type: (generic_type . (_) @reference.construct) arguments: (_) @arguments)
(argument_list (method_reference . (_) @receiver (identifier) @reference.argument .))
(method_reference . (_) @receiver (identifier) @reference.read .)
(array_initializer [(identifier) (field_access)] @reference.table)
(marker_annotation name: (_) @reference.decorator)
(annotation name: (_) @reference.decorator)
(type_identifier) @reference.type
(scoped_type_identifier) @reference.type

(formal_parameter type: (_) @type.annotation name: (identifier) @name)
(enhanced_for_statement type: (_) @type.annotation name: (identifier) @name)
((enhanced_for_statement type: (type_identifier) @_var name: (identifier) @name
  value: [(identifier) (field_access) (method_invocation)] @type.each)
  (#eq? @_var "var"))
(catch_formal_parameter (catch_type . (_) @type.annotation) name: (identifier) @name)
(resource type: (_) @type.annotation name: (identifier) @name)
(resource name: (identifier) @name value: [(method_invocation) (identifier)] @type.alias)
(resource name: (identifier) @name value: (object_creation_expression type: (_) @type.construct))
(variable_declarator name: (identifier) @name value: (ternary_expression consequence: [(identifier) (field_access) (method_invocation)] @type.alias))
(variable_declarator name: (identifier) @name value: (ternary_expression alternative: [(identifier) (field_access) (method_invocation)] @type.alias))
(instanceof_expression right: (_) @type.annotation name: (identifier) @name)
(local_variable_declaration type: [(type_identifier) (scoped_type_identifier) (generic_type) (array_type)] @type.annotation declarator: (variable_declarator name: (identifier) @name))
(variable_declarator name: (identifier) @name value: (object_creation_expression type: (_) @type.construct))
(variable_declarator name: (identifier) @name value: (cast_expression type: (_) @type.annotation))
(type_pattern (_) @type.annotation (identifier) @name)
(record_pattern_component (_) @type.annotation (identifier) @name)
(local_variable_declaration declarator: (variable_declarator name: (identifier) @name value: (method_invocation object: (_)? @receiver name: (identifier) @type.call)))
(local_variable_declaration declarator: (variable_declarator name: (identifier) @name value: [(identifier) (field_access)] @type.alias))
(assignment_expression left: (field_access object: (this) field: (identifier) @field) right: (object_creation_expression type: (_) @type.construct))

(import_declaration [(scoped_identifier) (identifier)] @tree) @import
