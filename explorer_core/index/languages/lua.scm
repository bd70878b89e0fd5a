(function_declaration name: (_) @name body: (_)? @body) @definition.function
(assignment_statement (variable_list . name: (_) @name) (expression_list . value: (function_definition body: (_)? @body))) @definition.function
(field name: (identifier) @name value: (function_definition body: (_)? @body)) @definition.method
(chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @name))) @definition.variable)
(chunk (assignment_statement (variable_list name: (identifier) @name)) @definition.variable)
(function_definition) @scope
(parameters name: (identifier) @local)
(variable_declaration (assignment_statement (variable_list name: (identifier) @local)))
(variable_declaration (variable_list name: (identifier) @local))
(identifier) @reference.read
(dot_index_expression) @reference.read
(function_call name: [(identifier) (dot_index_expression) (method_index_expression)] @reference.call)
(arguments [(identifier) (dot_index_expression)] @reference.argument)
(field value: [(identifier) (dot_index_expression)] @reference.table)
(variable_declaration (assignment_statement (variable_list . name: (identifier) @name) (expression_list . value: (function_call name: [(identifier) (dot_index_expression) (method_index_expression)] @type.call))))
((variable_declaration (assignment_statement
  (variable_list . name: (identifier) @alias)
  (expression_list . value: (function_call name: (identifier) @_require arguments: (arguments . (string (string_content) @module)))))) @import
  (#eq? @_require "require"))
