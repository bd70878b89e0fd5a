(expression/identifier) @reference.read
(expression/field_expression) @reference.read
(assignment_expression left: [(identifier) (field_expression)] @reference.read)
