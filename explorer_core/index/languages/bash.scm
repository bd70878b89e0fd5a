(function_definition name: (word) @name body: (_) @body) @definition.function
(program (variable_assignment name: (variable_name) @name) @definition.variable)
(program (declaration_command (variable_assignment name: (variable_name) @name)) @definition.variable)
(function_definition body: (_ (declaration_command (variable_assignment name: (variable_name) @local))))
(command_name (word) @reference.call)
((command argument: (word) @reference.argument) (#match? @reference.argument "^[A-Za-z_][A-Za-z0-9_]*$"))
(simple_expansion (variable_name) @reference.read)
(expansion (variable_name) @reference.read)
((command name: (command_name (word) @_source) argument: [(word) (string) (raw_string)] @module) @import
  (#any-of? @_source "source" "."))
