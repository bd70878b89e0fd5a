(program (binary_operator lhs: [(identifier) (string)] @name operator: ["<-" "=" "<<-"]) @definition.variable)
(binary_operator lhs: (identifier) @name operator: ["<-" "="] rhs: (function_definition body: (_) @body)) @definition.function
(function_definition) @scope

(parameter name: (identifier) @local)
(binary_operator lhs: (identifier) @local operator: ["<-" "="])
(for_statement variable: (identifier) @local)

(identifier) @reference.read
(extract_operator) @reference.read
(namespace_operator) @reference.read
(call function: [(identifier) (extract_operator) (namespace_operator)] @reference.call)
(argument value: [(identifier) (namespace_operator)] @reference.argument)
(argument name: (identifier) @label)

((call function: (identifier) @_source arguments: (arguments . argument: (argument value: (string content: (_) @module)))) @import
  (#any-of? @_source "source" "sys.source"))
