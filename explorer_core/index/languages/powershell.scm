(function_statement (function_name) @name "{" @body) @definition.function
(class_statement . (simple_name) @name "{" @body) @definition.class
(enum_statement . (simple_name) @name) @definition.enum
(enum_member . (simple_name) @name) @definition.constant
(class_property_definition (variable) @name) @definition.field
(class_method_definition (simple_name) @name "{" @body) @definition.method

(class_statement . (simple_name) . (simple_name) @supertype.extends)

(command_name) @reference.call
(invokation_expression (variable) @receiver (member_name (simple_name) @reference.call))
(invokation_expression (type_literal) @receiver (member_name (simple_name) @reference.call))
(member_access (variable) @receiver (member_name (simple_name) @reference.read))
(type_literal (type_spec (type_name) @reference.type))
