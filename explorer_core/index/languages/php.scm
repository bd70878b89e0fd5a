(namespace_definition name: (_) @package)

(class_declaration name: (name) @name body: (_) @body) @definition.class
(interface_declaration name: (name) @name body: (_) @body) @definition.interface
(trait_declaration name: (name) @name body: (_) @body) @definition.trait
(enum_declaration name: (name) @name body: (_) @body) @definition.enum
(enum_case name: (name) @name) @definition.constant
(method_declaration name: (name) @name return_type: (_)? @returns body: (_)? @body) @definition.method
(function_definition name: (name) @name return_type: (_)? @returns body: (_) @body) @definition.function
(const_declaration (const_element (name) @name) @definition.constant)
(property_declaration type: (_)? @returns (property_element name: (variable_name (name) @name))) @definition.field
(property_promotion_parameter type: (_)? @returns name: (variable_name (name) @name)) @definition.field @parameter
(program (expression_statement (assignment_expression left: (variable_name) @name) @definition.variable))
(function_call_expression function: (_) @called arguments: (arguments . (argument . [(string) (encapsed_string)]) @name
  (argument [(anonymous_function) (arrow_function)] @function))) @definition.callback
([(member_call_expression object: (_) @called name: (_) @called arguments: (arguments . (argument . [(string) (encapsed_string)]) @name
    (argument [(anonymous_function) (arrow_function)] @function)))
  (scoped_call_expression scope: (_) @called name: (_) @called arguments: (arguments . (argument . [(string) (encapsed_string)]) @name
    (argument [(anonymous_function) (arrow_function)] @function)))] @definition.callback)
(anonymous_function) @scope
(arrow_function) @scope
(anonymous_class (base_clause (_) @expected)? (class_interface_clause (_)+ @expected)?
  body: (declaration_list (method_declaration name: (name) @name) @lambda.member))

(class_declaration (base_clause (_) @supertype.extends))
(interface_declaration (base_clause (_) @supertype.extends))
(class_declaration (class_interface_clause (_) @supertype.implements))
(enum_declaration (class_interface_clause (_) @supertype.implements))
([(class_declaration body: (_ (use_declaration [(name) (qualified_name)] @supertype.implements)))
  (trait_declaration body: (_ (use_declaration [(name) (qualified_name)] @supertype.implements)))
  (enum_declaration body: (_ (use_declaration [(name) (qualified_name)] @supertype.implements)))])

(function_call_expression function: [(name) (qualified_name) (variable_name)] @reference.call)
(member_call_expression object: (_) @receiver name: (name) @reference.call)
(nullsafe_member_call_expression object: (_) @receiver name: (name) @reference.call)
(scoped_call_expression scope: (_) @receiver name: (name) @reference.call)
(scoped_call_expression scope: [(name) (qualified_name)] @reference.read)
(object_creation_expression [(name) (qualified_name)] @reference.construct)
(member_access_expression object: (_) @receiver name: (name) @reference.read)
(nullsafe_member_access_expression object: (_) @receiver name: (name) @reference.read)
(scoped_property_access_expression scope: [(name) (qualified_name)] @reference.read)
(scoped_property_access_expression scope: (_) @owner name: (variable_name (name) @reference.read))
(class_constant_access_expression . (_) @receiver (name) @reference.read .)
(class_constant_access_expression . [(name) (qualified_name)] @reference.read)
(primary_expression/name) @reference.read
(argument [(name) (qualified_name)] @reference.argument)
(argument name: (name) @label)
(array_element_initializer (class_constant_access_expression . [(name) (qualified_name)] @reference.table))
((array_creation_expression . (array_element_initializer . (class_constant_access_expression . (_) @owner (name) @_class .) .) . (array_element_initializer . [(string . (string_content) @reference.table .) (encapsed_string . (string_content) @reference.table .)] .) .)
  (#eq? @_class "class"))
(array_creation_expression . (array_element_initializer . [(variable_name) (member_access_expression) (object_creation_expression)] @owner .) . (array_element_initializer . [(string . (string_content) @reference.table .) (encapsed_string . (string_content) @reference.table .)] .) .)
(binary_expression operator: "instanceof" right: [(name) (qualified_name)] @reference.type)
(named_type) @reference.type
(base_clause (_) @reference.type)
(class_interface_clause (_) @reference.type)
(use_declaration [(name) (qualified_name)] @reference.type)
(attribute [(name) (qualified_name)] @reference.decorator)

(comment) @type.documented

(simple_parameter type: (_) @type.annotation name: (variable_name) @name)
(variadic_parameter type: (_) @type.annotation "..." @rest name: (variable_name) @name)
(property_promotion_parameter type: (_) @type.annotation name: (variable_name (name) @field))
(property_promotion_parameter type: (_) @type.annotation name: (variable_name) @name)
(catch_clause type: (type_list . (_) @type.annotation) name: (variable_name) @name)
(assignment_expression left: (variable_name) @name right: (object_creation_expression [(name) (qualified_name)] @type.construct))
(assignment_expression left: (variable_name) @name right: (function_call_expression function: (_) @type.call))
(assignment_expression left: (variable_name) @name right: [
  (member_call_expression object: (_) @receiver name: (name) @type.call)
  (scoped_call_expression scope: (_) @receiver name: (name) @type.call)])
(assignment_expression left: (variable_name) @name right: [(variable_name) (member_access_expression)] @type.alias)
(assignment_expression left: (variable_name) @name right: (subscript_expression) @type.alias)
(assignment_expression left: (variable_name) @name right: (clone_expression [(variable_name) (member_access_expression)] @type.alias))
(assignment_expression left: (variable_name) @name right: (clone_expression (member_call_expression object: (_) @receiver name: (name) @type.call)))
(assignment_expression left: (variable_name) @name right: (binary_expression left: [(variable_name) (member_access_expression) (member_call_expression) (function_call_expression) (scoped_call_expression)] @type.alias operator: "??"))
(assignment_expression left: (variable_name) @name right: (binary_expression operator: "??" right: [(variable_name) (member_access_expression) (member_call_expression) (function_call_expression) (scoped_call_expression)] @type.alias))
(assignment_expression left: (variable_name) @name right: (binary_expression operator: "??" right: (object_creation_expression [(name) (qualified_name)] @type.construct)))
(assignment_expression left: (variable_name) @name right: (conditional_expression body: [(variable_name) (member_access_expression) (member_call_expression) (function_call_expression) (scoped_call_expression)] @type.alias))
(assignment_expression left: (variable_name) @name right: (conditional_expression body: (object_creation_expression [(name) (qualified_name)] @type.construct)))
(assignment_expression left: (variable_name) @name right: (conditional_expression alternative: [(variable_name) (member_access_expression) (member_call_expression) (function_call_expression) (scoped_call_expression)] @type.alias))
(assignment_expression left: (variable_name) @name right: (conditional_expression alternative: (object_creation_expression [(name) (qualified_name)] @type.construct)))
(foreach_statement . [(variable_name) (member_access_expression) (member_call_expression)] @type.entry . (variable_name) @name)
(foreach_statement . [(variable_name) (member_access_expression) (member_call_expression)] @type.entry . (pair (_) (variable_name) @name))
(if_statement
  condition: (parenthesized_expression [
    (_ . left: (variable_name) @name operator: "instanceof" right: [(name) (qualified_name)] @type.annotation)
    (_ . left: (_ . left: (variable_name) @name operator: "instanceof" right: [(name) (qualified_name)] @type.annotation) operator: "&&")
    (_ . left: (_) operator: "&&" right: (_ . left: (variable_name) @name operator: "instanceof" right: [(name) (qualified_name)] @type.annotation))])
  body: (_) @within)
(else_if_clause
  condition: (parenthesized_expression [
    (_ . left: (variable_name) @name operator: "instanceof" right: [(name) (qualified_name)] @type.annotation)
    (_ . left: (_ . left: (variable_name) @name operator: "instanceof" right: [(name) (qualified_name)] @type.annotation) operator: "&&")
    (_ . left: (_) operator: "&&" right: (_ . left: (variable_name) @name operator: "instanceof" right: [(name) (qualified_name)] @type.annotation))])
  body: (_) @within)
(if_statement
  condition: (parenthesized_expression (unary_op_expression "!" argument: [
    (_ . left: (variable_name) @name operator: "instanceof" right: [(name) (qualified_name)] @type.annotation)
    (parenthesized_expression (_ . left: (variable_name) @name operator: "instanceof" right: [(name) (qualified_name)] @type.annotation))]))
  body: [(compound_statement [(return_statement) (continue_statement) (break_statement) (expression_statement (throw_expression))] .) (return_statement) (continue_statement) (break_statement) (expression_statement (throw_expression))]
  !alternative) @behind
(assignment_expression left: (_ . object: (variable_name) @self name: (name) @field) right: (object_creation_expression [(name) (qualified_name)] @type.construct))
(assignment_expression left: (_ . object: (variable_name) @self name: (name) @field) right: (variable_name) @type.alias)
(assignment_expression left: (_ . object: (variable_name) @self name: (name) @field) right: (function_call_expression function: (_) @type.asked))
(assignment_expression left: (_ . object: (variable_name) @self name: (name) @field) right: [
  (member_call_expression object: (_) @receiver name: (name) @type.call)
  (scoped_call_expression scope: (_) @receiver name: (name) @type.call)])

(return_statement [(variable_name) (member_access_expression)] @type.alias)
(return_statement (clone_expression [(variable_name) (member_access_expression)] @type.alias))
(return_statement (object_creation_expression [(name) (qualified_name)] @type.construct))
(return_statement (function_call_expression function: (_) @type.call))
(return_statement [
  (member_call_expression object: (_) @receiver name: (name) @type.call)
  (scoped_call_expression scope: (_) @receiver name: (name) @type.call)])

(namespace_use_declaration !body (namespace_use_clause . [(qualified_name) (name)] @tree alias: (_)? @alias)) @import
(namespace_use_declaration (namespace_name) @module body: (namespace_use_group (namespace_use_clause . [(qualified_name) (name)] @tree alias: (_)? @alias))) @import
([(require_once_expression (string (string_content) @module))
  (require_expression (string (string_content) @module))
  (include_expression (string (string_content) @module))
  (include_once_expression (string (string_content) @module))] @import @include)
([(require_once_expression (_ . left: (_) operator: _ right: (string (string_content) @module)))
  (require_expression (_ . left: (_) operator: _ right: (string (string_content) @module)))
  (include_expression (_ . left: (_) operator: _ right: (string (string_content) @module)))] @import @include @relative)
