(namespace_declaration name: (_) @package body: (_) @body)
(file_scoped_namespace_declaration name: (_) @package)

(class_declaration name: (identifier) @name body: (_)? @body) @definition.class
(record_declaration name: (identifier) @name body: (_)? @body) @definition.class
(struct_declaration name: (identifier) @name body: (_)? @body) @definition.struct
(interface_declaration name: (identifier) @name body: (_)? @body) @definition.interface
(enum_declaration name: (identifier) @name body: (_) @body) @definition.enum
(enum_member_declaration name: (identifier) @name) @definition.constant
(delegate_declaration name: (identifier) @name) @definition.type
(method_declaration returns: (_) @returns name: (identifier) @name body: (_)? @body) @definition.method
(method_declaration name: (identifier) @name parameters: (parameter_list . (parameter (modifier) @_this type: (_) @owner)) (#eq? @_this "this")) @definition.method
(local_function_statement type: (_) @returns name: (identifier) @name body: (_) @body) @definition.function
(constructor_declaration name: (identifier) @name body: (_) @body) @definition.constructor
(destructor_declaration name: (identifier) @name body: (_) @body) @definition.method
(operator_declaration type: (_) @returns "operator" @name operator: _ @name body: (_) @body) @definition.method
(conversion_operator_declaration "operator" @name type: (_) @name @returns body: (_) @body) @definition.method
(indexer_declaration type: (_) @returns "this" @name [(accessor_list) (arrow_expression_clause)] @body) @definition.method
(property_declaration type: (_) @returns name: (identifier) @name accessors: (_)? @body) @definition.property
(event_declaration type: (_) @returns name: (identifier) @name accessors: (_)? @body) @definition.property
(event_field_declaration (variable_declaration type: (_) @returns (variable_declarator name: (identifier) @name))) @definition.field
(field_declaration (variable_declaration type: (_) @returns (variable_declarator name: (identifier) @name))) @definition.field
(field_declaration (modifier) @_const (variable_declaration type: (_) @returns (variable_declarator name: (identifier) @name)) (#eq? @_const "const")) @definition.constant
(record_declaration (parameter_list (parameter type: (_) @returns name: (identifier) @name) @definition.field))
(lambda_expression) @scope
(anonymous_method_expression) @scope
[(block) (for_statement) (foreach_statement) (using_statement) (fixed_statement) (catch_clause) (switch_section) (switch_expression_arm)] @block
(lambda_expression parameters: (implicit_parameter) @lambda.parameter @list) @function
(lambda_expression parameters: (parameter_list (parameter !type name: (identifier) @lambda.parameter) @item) @list) @function

(invocation_expression function: (_) @called arguments: (argument_list . (argument . (string_literal)) @name
  (argument [(lambda_expression) (anonymous_method_expression)] @function))) @definition.callback

(class_declaration (base_list . [(identifier) (qualified_name) (generic_name)] @supertype.extends))
(class_declaration (base_list (_) [(identifier) (qualified_name) (generic_name)] @supertype.implements))
(record_declaration (base_list [(identifier) (qualified_name) (generic_name)] @supertype.implements))
(base_list (primary_constructor_base_type type: (_) @supertype.extends))
(struct_declaration (base_list [(identifier) (qualified_name) (generic_name)] @supertype.implements))
(interface_declaration (base_list [(identifier) (qualified_name) (generic_name)] @supertype.extends))

(parameter name: (identifier) @local)
(parameter_list name: (identifier) @local)
(implicit_parameter) @local
(local_declaration_statement (variable_declaration (variable_declarator name: (identifier) @local)))
(foreach_statement left: (identifier) @local)
(tuple_pattern name: (identifier) @local)
(from_clause name: (identifier) @local)
(let_clause . (identifier) @local)
(join_clause . (identifier) @local)
(fixed_statement (variable_declaration (variable_declarator name: (identifier) @local)))
(catch_declaration name: (identifier) @local)
(declaration_expression name: (identifier) @local)
(declaration_pattern name: (identifier) @local)
(recursive_pattern name: (identifier) @local)
(using_statement (variable_declaration (variable_declarator name: (identifier) @local)))
(for_statement (variable_declaration (variable_declarator name: (identifier) @local)))
(type_parameter name: (identifier) @local.type)
(type_parameter name: (identifier) @name @type.bound)
(type_parameter_constraints_clause (identifier) @name (type_parameter_constraint type: (_) @type.bound))

(argument name: (identifier) @label)
(lvalue_expression/identifier) @reference.use
(lvalue_expression/member_access_expression name: (identifier)) @reference.use
(constant_pattern [(identifier) (member_access_expression name: (identifier))] @reference.use)
(declaration_pattern type: (identifier) @_nameof (parenthesized_variable_designation (identifier) @reference.use) (#eq? @_nameof "nameof"))
(invocation_expression function: [(identifier) (member_access_expression name: (identifier))] @reference.call arguments: (_) @arguments)
(invocation_expression function: (generic_name (identifier) @reference.call) arguments: (_) @arguments)
(invocation_expression function: (member_access_expression expression: _ @receiver name: (generic_name . (identifier) @reference.call)) arguments: (_) @arguments)
(invocation_expression function: (conditional_access_expression condition: (_) @receiver (member_binding_expression name: (identifier) @reference.call)) arguments: (_) @arguments)
(conditional_access_expression condition: (_) @receiver (member_binding_expression name: (identifier) @reference.use))
(object_creation_expression type: [(identifier) (qualified_name)] @reference.construct arguments: (_)? @arguments)
(object_creation_expression type: (generic_name . (identifier) @reference.construct) arguments: (_)? @arguments)
(object_creation_expression type: (_) @owner initializer: (initializer_expression (assignment_expression left: (identifier) @reference.use)))
(argument [(identifier) (member_access_expression)] @reference.argument)
(initializer_expression [(identifier) (member_access_expression)] @reference.table)
(assignment_expression operator: "+=" right: [(identifier) (member_access_expression)] @reference.argument)
(assignment_expression left: [(identifier) (member_access_expression)] @owner operator: "+=" right: [(identifier) (member_access_expression)] @placed.assigned)
(attribute name: (_) @reference.decorator)
(type/identifier) @reference.type
(type/qualified_name) @reference.type
(type/qualified_name qualifier: (_) @reference.type)
(qualified_name qualifier: (_) @receiver name: (generic_name . (identifier) @reference.type))
(generic_name . (identifier) @reference.type)
(base_list [(identifier) (qualified_name)] @reference.type)
(typeof_expression type: (identifier) @reference.type)
(array_type type: [(identifier) (qualified_name)] @reference.type)
(nullable_type type: [(identifier) (qualified_name)] @reference.type)
(explicit_interface_specifier [(identifier) (qualified_name)] @reference.type)
[(base_list (qualified_name qualifier: (_) @reference.type))
 (array_type type: (qualified_name qualifier: (_) @reference.type))
 (nullable_type type: (qualified_name qualifier: (_) @reference.type))
 (explicit_interface_specifier (qualified_name qualifier: (_) @reference.type))]

(parameter type: (_) @type.annotation name: (identifier) @name)
(parameter_list type: (_) @type.annotation name: (identifier) @name)
(variable_declaration type: [(identifier) (qualified_name) (generic_name) (nullable_type) (array_type)] @type.annotation (variable_declarator name: (identifier) @name))
(foreach_statement type: [(identifier) (qualified_name) (generic_name)] @type.annotation left: (identifier) @name)
(foreach_statement type: (implicit_type) left: (identifier) @name
  right: [(identifier) (member_access_expression) (invocation_expression)] @type.each)
(foreach_statement left: (tuple_pattern . name: (_) . name: (identifier) @name .) right: [(identifier) (member_access_expression) (invocation_expression)] @type.keyed)
((invocation_expression
  function: (member_access_expression expression: [(identifier) (member_access_expression)] @type.keyed name: (identifier) @_get)
  arguments: (argument_list (argument (declaration_expression name: (identifier) @name))))
  (#eq? @_get "TryGetValue"))
(variable_declarator name: (identifier) @name (conditional_expression consequence: [(identifier) (member_access_expression) (invocation_expression) (conditional_access_expression)] @type.alias))
(variable_declarator name: (identifier) @name (conditional_expression alternative: [(identifier) (member_access_expression) (invocation_expression) (conditional_access_expression)] @type.alias))
(variable_declarator name: (identifier) @name (binary_expression left: [(identifier) (member_access_expression) (invocation_expression) (conditional_access_expression)] @type.alias operator: "??"))
(variable_declarator name: (identifier) @name (binary_expression operator: "??" right: [(identifier) (member_access_expression) (invocation_expression) (conditional_access_expression)] @type.alias))
(variable_declarator name: (identifier) @name (element_access_expression) @type.alias)
(variable_declarator name: (identifier) @name [(identifier) (member_access_expression) (conditional_access_expression)] @type.alias .)
(declaration_pattern type: (_) @type.annotation name: (identifier) @name)
(recursive_pattern type: (_) @type.annotation name: (identifier) @name)
(catch_declaration type: (_) @type.annotation name: (identifier) @name)
(declaration_expression type: (identifier) @type.annotation name: (identifier) @name)
(variable_declarator name: (identifier) @name (object_creation_expression type: (_) @type.construct))
(variable_declarator name: (identifier) @name [
  (cast_expression type: (_) @type.annotation)
  (as_expression right: (_) @type.annotation)])
(variable_declarator name: (identifier) @name [
  (string_literal) (interpolated_string_expression) (verbatim_string_literal)
  (array_creation_expression) (implicit_array_creation_expression)] @type.literal)
(variable_declarator name: (identifier) @name [
  (invocation_expression function: [(identifier) (member_access_expression) (generic_name) (conditional_access_expression)] @type.call)
  (postfix_unary_expression (invocation_expression function: [(identifier) (member_access_expression) (generic_name) (conditional_access_expression)] @type.call))
  (await_expression (invocation_expression function: [(identifier) (member_access_expression) (generic_name) (conditional_access_expression)] @type.call))
  (parenthesized_expression (await_expression (invocation_expression function: [(identifier) (member_access_expression) (generic_name) (conditional_access_expression)] @type.call)))])
(assignment_expression left: (member_access_expression expression: "this" name: (identifier) @field) right: (object_creation_expression type: (_) @type.construct))

(using_directive !name [(identifier) (qualified_name)] @module @wildcard) @import
(using_directive "global" @reexport !name [(identifier) (qualified_name)] @module @wildcard) @import
(using_directive name: (identifier) @alias (qualified_name) @tree) @import
(constructor_initializer ["base" "this"] @reference.call (argument_list) @arguments)
(base_list . (identifier) @reference.construct . (argument_list) @arguments)
(base_list . (generic_name . (identifier) @reference.construct) . (argument_list) @arguments)
(primary_constructor_base_type type: [(identifier) (generic_name . (identifier))] @reference.construct (argument_list) @arguments)

; The grammar reads an extension block as a constructor that contains the methods.
((constructor_declaration name: (identifier) @_extension
  parameters: (parameter_list . (parameter type: (_) @owner))
  body: (_) @region)
  (#eq? @_extension "extension"))
