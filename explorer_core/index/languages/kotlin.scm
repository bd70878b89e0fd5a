(package_header (identifier) @package)

(class_declaration "class" (type_identifier) @name [(class_body) (enum_class_body)]? @body) @definition.class
(class_declaration "interface" (type_identifier) @name (class_body)? @body) @definition.interface
(class_declaration "enum" (type_identifier) @name (enum_class_body)? @body) @definition.enum
(object_declaration (type_identifier) @name (class_body)? @body) @definition.class
(companion_object (type_identifier) @name (class_body)? @body) @definition.class
(enum_entry (simple_identifier) @name) @definition.constant
(function_declaration (simple_identifier) @name (function_body)? @body) @definition.function
(function_declaration (simple_identifier) @name (function_value_parameters) . [(user_type) (nullable_type) (function_type)] @returns) @returns.of
(function_declaration (receiver_type) @owner (simple_identifier) @name (function_body)? @body) @definition.method
(secondary_constructor "constructor" @name) @definition.constructor
(property_declaration (variable_declaration . (simple_identifier) @name . [(user_type) (nullable_type)]? @returns)) @definition.variable
(property_declaration (receiver_type) @owner (variable_declaration . (simple_identifier) @name)) @definition.property
(class_declaration (primary_constructor (class_parameter (binding_pattern_kind) . (simple_identifier) @name . (_) @returns) @definition.field))
(type_alias (type_identifier) @name) @definition.type
(type_alias (type_identifier) @name [(user_type) (nullable_type)] @returns) @definition.type
(call_expression . [(simple_identifier) (navigation_expression)] @called (call_suffix
  (value_arguments . (value_argument . (string_literal)) @name)
  (annotated_lambda (lambda_literal) @function))) @definition.callback
(lambda_literal) @scope
(parameter (function_type) @unbound)
(lambda_literal) @lambda.function
(lambda_literal (lambda_parameters (variable_declaration . (simple_identifier) @lambda.parameter .) @item) @list) @function
(lambda_parameters (variable_declaration . (simple_identifier) @name . (_) @type.annotation))
(anonymous_initializer) @scope
(object_literal (delegation_specifier [
  (user_type) @expected
  (constructor_invocation (user_type) @expected)
  (explicit_delegation (user_type) @expected)])
  (class_body (function_declaration (simple_identifier) @name) @lambda.member))
(object_literal (class_body (function_declaration (simple_identifier) @name (function_body)? @body) @definition.method))

(class_declaration (delegation_specifier [
  (user_type) @supertype.implements
  (explicit_delegation (user_type) @supertype.implements)]))
(class_declaration (delegation_specifier (constructor_invocation (user_type) @supertype.extends)))
(object_declaration (delegation_specifier [
  (user_type) @supertype.implements
  (explicit_delegation (user_type) @supertype.implements)]))
(object_declaration (delegation_specifier (constructor_invocation (user_type) @supertype.extends)))
(companion_object (delegation_specifier [
  (user_type) @supertype.implements
  (explicit_delegation (user_type) @supertype.implements)]))
(companion_object (delegation_specifier (constructor_invocation (user_type) @supertype.extends)))

(parameter . (simple_identifier) @local)
(lambda_parameters (variable_declaration (simple_identifier) @local))
(property_declaration (variable_declaration . (simple_identifier) @name .) (property_delegate
  (call_expression . [(simple_identifier) (navigation_expression)] @type.asked)))
((property_declaration (variable_declaration . (simple_identifier) @name .) (property_delegate
  (call_expression . (simple_identifier) @_lazy (call_suffix (annotated_lambda (lambda_literal (statements
    (call_expression . [(simple_identifier) (navigation_expression)] @type.call) .)))))))
  (#eq? @_lazy "lazy"))
(for_statement (multi_variable_declaration . (_) . (variable_declaration . (simple_identifier) @name) .) . [(simple_identifier) (navigation_expression) (call_expression)] @type.keyed)
(property_declaration (variable_declaration . (simple_identifier) @name) (if_expression consequence: (control_structure_body [(simple_identifier) (navigation_expression) (call_expression)] @type.alias .) alternative: (_)))
(property_declaration (variable_declaration . (simple_identifier) @name) (if_expression alternative: (control_structure_body [(simple_identifier) (navigation_expression) (call_expression)] @type.alias .)))
(property_declaration (variable_declaration . (simple_identifier) @name) (when_expression (when_entry (control_structure_body [(simple_identifier) (navigation_expression) (call_expression)] @type.alias .))))
(property_declaration (variable_declaration . (simple_identifier) @name) (try_expression . (statements [(simple_identifier) (navigation_expression) (call_expression)] @type.alias .)))
(property_declaration (variable_declaration . (simple_identifier) @name) (elvis_expression (_) [(simple_identifier) (navigation_expression) (call_expression)] @type.alias .))
(for_statement (variable_declaration (simple_identifier) @local))
(multi_variable_declaration (variable_declaration (simple_identifier) @local))
(catch_block (simple_identifier) @local)
(when_subject (variable_declaration (simple_identifier) @local))
(type_parameter (type_identifier) @local.type)
(type_parameter . (type_identifier) @name @type.bound .)
(type_parameter (type_identifier) @name (user_type) @type.bound)
(type_constraint (type_identifier) @name (user_type) @type.bound)

(simple_identifier) @reference.read
(navigation_expression) @reference.read
(directly_assignable_expression) @reference.read
(value_argument . (simple_identifier) @label . "=")
(call_expression . [(simple_identifier) (navigation_expression)] @reference.call (call_suffix (value_arguments)? @arguments (annotated_lambda)? @arguments))
(infix_expression . (_) . (simple_identifier) @reference.call)
(constructor_delegation_call ["this" "super"] @reference.call (value_arguments) @arguments)
(constructor_invocation (user_type (type_identifier) @reference.construct .) (value_arguments) @arguments)
(constructor_invocation (user_type (type_identifier) @receiver (type_identifier) @reference.construct .) (value_arguments) @arguments)
(value_argument (callable_reference (simple_identifier) @reference.argument))
(callable_reference (type_identifier) @receiver (simple_identifier) @reference.argument)
(callable_reference (simple_identifier) @reference.read)
(value_argument [
  (call_expression . (navigation_expression) @message.in)
  (navigation_expression) @message.in])
(when_entry (when_condition) @message.out (control_structure_body (statements (_) . (_))) @done)
(when_entry (when_condition) @message.out (control_structure_body [
  (assignment)
  (statements . (assignment) .)]) @done)
(when_entry (when_condition) @message.out (control_structure_body [
  (call_expression) @value
  (statements . (call_expression) @value .)]) @done)
(annotation (user_type) @reference.decorator)
(annotation (constructor_invocation (user_type) @reference.decorator))
(type_identifier) @reference.type
(user_type (type_identifier) @receiver (type_identifier) @reference.type)

(parameter . (simple_identifier) @name . (_) @type.annotation)
(class_parameter (simple_identifier) @name . (_) @type.annotation)
(catch_block (simple_identifier) @name . (_) @type.annotation)
(property_declaration (variable_declaration . (simple_identifier) @name . (_) @type.annotation))
(property_declaration (variable_declaration . (simple_identifier) @name) (call_expression . [(simple_identifier) (navigation_expression)] @type.call))
(property_declaration (variable_declaration . (simple_identifier) @name) (as_expression (_) (user_type) @type.annotation))
(property_declaration (variable_declaration . (simple_identifier) @name) (elvis_expression . (call_expression . [(simple_identifier) (navigation_expression)] @type.call)))
(property_declaration (variable_declaration . (simple_identifier) @name) (elvis_expression . (as_expression (_) (user_type) @type.annotation)))
(property_declaration (variable_declaration . (simple_identifier) @name) [
  (elvis_expression . [(simple_identifier) (navigation_expression)] @type.alias)
  (simple_identifier) @type.alias
  (navigation_expression) @type.alias
  (postfix_expression . [(simple_identifier) (navigation_expression)] @type.alias)])
(property_declaration (variable_declaration . (simple_identifier) @name) (postfix_expression . (call_expression . [(simple_identifier) (navigation_expression)] @type.call)))
(property_declaration (variable_declaration . (simple_identifier) @name) (string_literal) @type.literal)
(property_declaration (variable_declaration . (simple_identifier) @name) (indexing_expression) @type.alias)
(for_statement (variable_declaration . (simple_identifier) @name) . [(simple_identifier) (navigation_expression) (call_expression)] @type.each)
(property_declaration (variable_declaration . (simple_identifier) @name) (getter (function_body (call_expression . [(simple_identifier) (navigation_expression)] @type.call))))
(function_body (call_expression . [(simple_identifier) (navigation_expression)] @type.call))
(function_body [(simple_identifier) (navigation_expression) (this_expression)] @type.alias)
(function_body (as_expression (_) (user_type) @type.annotation))
(if_expression
  condition: [
    (check_expression (simple_identifier) @name "is" (user_type) @type.annotation)
    (conjunction_expression (check_expression (simple_identifier) @name "is" (user_type) @type.annotation))]
  consequence: (_) @within)
(when_expression
  (when_subject . (simple_identifier) @name)
  (when_entry . (when_condition (type_test "is" (user_type) @type.annotation)) . (control_structure_body)) @within)
(assignment (directly_assignable_expression (this_expression) (navigation_suffix (simple_identifier) @field)) (call_expression . [(simple_identifier) (navigation_expression)] @type.call))

(import_header (identifier) @tree (import_alias (type_identifier) @alias)?) @import
