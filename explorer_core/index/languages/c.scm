(function_definition type: (_)? @returns declarator: [
  (function_declarator declarator: [(identifier) @name (parenthesized_declarator (identifier) @name)])
  (pointer_declarator declarator: (function_declarator declarator: [(identifier) @name (parenthesized_declarator (identifier) @name)]))
  (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: [(identifier) @name (parenthesized_declarator (identifier) @name)])))
] body: (_) @body) @definition.function
(expression/identifier) @reference.read
(expression/field_expression) @reference.read
