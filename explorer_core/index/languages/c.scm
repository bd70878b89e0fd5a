(expression/identifier) @reference.read
(expression/field_expression) @reference.read
