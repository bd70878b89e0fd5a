(expression/identifier) @reference.read
(expression/field_expression) @reference.read
(assignment_expression left: [(identifier) (field_expression)] @reference.read)
(declaration type: [(struct_specifier name: (_) @owner) (type_identifier) @owner] declarator: (init_declarator declarator: (_) @name value: (initializer_list) @placed))
(compound_literal_expression type: (type_descriptor type: [(struct_specifier name: (_) @owner) (type_identifier) @owner] !declarator) value: (initializer_list) @placed)
