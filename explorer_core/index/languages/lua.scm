(function_declaration name: (_) @name body: (_)? @body) @definition.function
(assignment_statement (variable_list . name: (_) @name) (expression_list . value: (function_definition body: (_)? @body))) @definition.function
(field name: (identifier) @name value: (function_definition body: (_)? @body)) @definition.method
(chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @name))) @definition.variable)
(chunk (assignment_statement (variable_list name: (identifier) @name)) @definition.variable)
(chunk (return_statement "return" @name (expression_list . (function_definition body: (_)? @body) .)) @definition.function)

(chunk (return_statement "return" @exported (expression_list . (function_definition) .))) @export @default
(chunk (return_statement (expression_list . (identifier) @exported .))) @export @default
((chunk (return_statement (expression_list . (function_call name: (identifier) @_by arguments: (arguments . (identifier) @exported))))) @export @default
  (#eq? @_by "setmetatable"))
(chunk (return_statement (expression_list . (table_constructor (field name: (identifier) @alias value: (identifier) @exported)) .))) @export
((chunk (return_statement (expression_list . (function_call name: (identifier) @_by
  arguments: (arguments . (table_constructor (field name: (identifier) @alias value: (identifier) @exported))))))) @export
  (#eq? @_by "setmetatable"))

(function_definition) @scope
(parameters name: (identifier) @local)
(variable_declaration (assignment_statement (variable_list name: (identifier) @local)))
(variable_declaration (variable_list name: (identifier) @local))
(identifier) @reference.read
(dot_index_expression) @reference.read
(function_call name: [(identifier) (dot_index_expression) (method_index_expression)] @reference.call)
(arguments [(identifier) (dot_index_expression)] @reference.argument)
(field name: (identifier) @label)
(field value: [(identifier) (dot_index_expression)] @reference.table)

((assignment_statement (variable_list . name: (identifier) @name) (expression_list . value: (function_call name: [(identifier) (dot_index_expression) (method_index_expression)] @type.call)))
  (#not-eq? @type.call "setmetatable"))
(variable_declaration (assignment_statement (variable_list . name: (identifier) @name) (expression_list . value: [(identifier) (dot_index_expression)] @type.alias)))
(variable_declaration (assignment_statement (variable_list . name: (identifier) @name) (expression_list . value: (table_constructor) @type.table)))
((return_statement (expression_list . (function_call name: [(identifier) (dot_index_expression) (method_index_expression)] @type.call)))
  (#not-eq? @type.call "setmetatable"))
(return_statement (expression_list . [(identifier) (dot_index_expression)] @type.alias))
(return_statement (expression_list . (table_constructor) @type.table))
; A table has the members of its metatable, usually by way of the metatable's `__index`.
((variable_declaration (assignment_statement (variable_list . name: (identifier) @name) (expression_list . value: (function_call
    name: (identifier) @_by arguments: (arguments (_) . [(identifier) @type.alias (table_constructor (field name: (identifier) @_index value: (identifier) @type.alias))])))))
  (#eq? @_by "setmetatable"))
((function_call name: (identifier) @_by arguments: (arguments . (identifier) @name . (identifier) @type.alias))
  (#eq? @_by "setmetatable"))
((return_statement (expression_list . (function_call
    name: (identifier) @_by arguments: (arguments (_) . [(identifier) @type.alias (table_constructor (field name: (identifier) @_index value: (identifier) @type.alias))]))))
  (#eq? @_by "setmetatable"))

((variable_declaration (assignment_statement
  (variable_list . name: (identifier) @alias)
  (expression_list . value: (function_call name: (identifier) @_require arguments: (arguments . (string (string_content) @module)))))) @import
  (#eq? @_require "require"))
