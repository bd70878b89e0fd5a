(function_definition type: (_)? @returns declarator: [
  (_ . declarator: [
    (field_identifier) @name (qualified_identifier) @name (destructor_name) @name (operator_name) @name (template_function) @name
    (parenthesized_declarator [(field_identifier) (qualified_identifier)] @name)] parameters: (_))
  (_ . "*" declarator: (_ . declarator: [
    (field_identifier) @name (qualified_identifier) @name (destructor_name) @name (operator_name) @name (template_function) @name
    (parenthesized_declarator [(field_identifier) (qualified_identifier)] @name)] parameters: (_)))
  (_ . "*" declarator: (_ . "*" declarator: (_ . declarator: [
    (field_identifier) @name (qualified_identifier) @name (destructor_name) @name (operator_name) @name (template_function) @name
    (parenthesized_declarator [(field_identifier) (qualified_identifier)] @name)] parameters: (_))))
] body: (_) @body) @definition.function
(class_specifier name: [(type_identifier) @name (template_type name: (_) @name) (qualified_identifier) @name] body: (_) @body) @definition.class
(struct_specifier name: [(template_type name: (_) @name) (qualified_identifier) @name] body: (_) @body) @definition.struct
(namespace_definition name: [(namespace_identifier) @name (_ (namespace_identifier) @name)
  (_ (_ (namespace_identifier) @name)) (_ (_ (_ (namespace_identifier) @name)))] body: (_) @body) @definition.namespace
(concept_definition name: (identifier) @name) @definition.type
(alias_declaration name: (type_identifier) @name type: (_) @returns) @definition.type
(function_definition type: (_)? @returns declarator: (_ . ["&" "&&"] (_ . declarator: (_) @name parameters: (_))) body: (_) @body) @definition.function
(function_definition !body declarator: (_ . declarator: (_) @name parameters: (_))) @definition.function
(translation_unit (declaration type: (_)? @returns declarator: [
  (_ . declarator: (operator_name) @name parameters: (_))
  (_ . "*" declarator: (_ . declarator: (operator_name) @name parameters: (_)))
  (_ . ["&" "&&"] (_ . declarator: [(identifier) (operator_name)] @name parameters: (_)))]) @definition.function)
(declaration_list (declaration type: (_)? @returns declarator: [
  (_ . declarator: (operator_name) @name parameters: (_))
  (_ . "*" declarator: (_ . declarator: (operator_name) @name parameters: (_)))
  (_ . ["&" "&&"] (_ . declarator: [(identifier) (operator_name)] @name parameters: (_)))]) @definition.function)
(template_declaration (declaration type: (_)? @returns declarator: [
  (_ . declarator: [(identifier) (operator_name)] @name parameters: (_))
  (_ . "*" declarator: [(_ . declarator: [(identifier) (operator_name)] @name parameters: (_)) (_ . "*" declarator: (_ . declarator: [(identifier) (operator_name)] @name parameters: (_)))])
  (_ . ["&" "&&"] (_ . declarator: [(identifier) (operator_name)] @name parameters: (_)))]) @definition.function)
(linkage_specification (declaration type: (_)? @returns declarator: [
  (_ . declarator: [(identifier) (operator_name)] @name parameters: (_))
  (_ . "*" declarator: [(_ . declarator: [(identifier) (operator_name)] @name parameters: (_)) (_ . "*" declarator: (_ . declarator: [(identifier) (operator_name)] @name parameters: (_)))])
  (_ . ["&" "&&"] (_ . declarator: [(identifier) (operator_name)] @name parameters: (_)))]) @definition.function)
(field_declaration type: (_)? @returns declarator: [
  (_ . declarator: [(field_identifier) (operator_name)] @name parameters: (_))
  (_ . "*" declarator: [(_ . declarator: [(field_identifier) (operator_name)] @name parameters: (_)) (_ . "*" declarator: (_ . declarator: [(field_identifier) (operator_name)] @name parameters: (_)))])
  (_ . ["&" "&&"] (_ . declarator: [(field_identifier) (operator_name)] @name parameters: (_)))]) @definition.method
(declaration declarator: (operator_cast "operator" @name type: (_) @name @returns)) @definition.method
(function_definition declarator: [
  (operator_cast "operator" @name type: (_) @name @returns)
  (_ . scope: (_) @owner name: (operator_cast "operator" @name type: (_) @name @returns))
] body: (_)? @body) @definition.method
(field_declaration_list (declaration declarator: (_ . declarator: [(identifier) (destructor_name)] @name parameters: (_))) @definition.constructor)
(field_declaration_list (function_definition !type declarator: (_ . declarator: [(identifier) (destructor_name)] @name parameters: (_))) @definition.constructor)
(function_definition declarator: (_ . declarator: (qualified_identifier) @name parameters: (_))) @definition.constructor
(field_declaration type: (_) @returns declarator: (_ . ["&" "&&"] (field_identifier) @name)) @definition.field
(translation_unit (declaration type: (_) @returns declarator: [
  (_ . ["&" "&&"] (identifier) @name)
  (init_declarator declarator: (_ . ["&" "&&"] (identifier) @name))]) @definition.variable)
(declaration_list (declaration type: (_) @returns declarator: [
  (_ . ["&" "&&"] (identifier) @name)
  (init_declarator declarator: (_ . ["&" "&&"] (identifier) @name))]) @definition.variable)
(template_declaration (class_specifier name: [(type_identifier) @name (template_type name: (_) @name) (qualified_identifier) @name])) @extent
(template_declaration (struct_specifier name: [(type_identifier) @name (template_type name: (_) @name) (qualified_identifier) @name])) @extent
(template_declaration (alias_declaration name: (_) @name)) @extent
(template_declaration (function_definition declarator: (_ . declarator: (_) @name parameters: (_)))) @extent
(template_declaration (declaration declarator: (_ . declarator: (identifier) @name parameters: (_)))) @extent
(field_declaration_list (template_declaration (function_definition declarator: (_ . declarator: (_) @name parameters: (_))) @extent))
(function_declarator declarator: (_) @name (trailing_return_type (_) @returns)) @returns.of
(lambda_expression) @scope
[(for_range_loop) (catch_clause)] @block
(if_statement condition: (condition_clause [(init_statement) (declaration)])) @block
(while_statement condition: (condition_clause [(init_statement) (declaration)])) @block
(switch_statement condition: (condition_clause [(init_statement) (declaration)])) @block
(template_argument_list (type_descriptor declarator: (abstract_function_declarator) @unbound))

(base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @supertype.extends)

(parameter_declaration declarator: (_ . ["&" "&&"] (identifier) @local))
(optional_parameter_declaration declarator: [(identifier) @local (_ (identifier) @local)])
(compound_statement (declaration declarator: (init_declarator declarator: (_ . ["&" "&&"] (identifier) @local))))
(for_range_loop declarator: [(identifier) @local (_ (identifier) @local)])
(structured_binding_declarator (identifier) @local)
(condition_clause (_ declarator: [(identifier) @local (_ (identifier) @local)]))
(init_statement (declaration declarator: (init_declarator declarator: [(identifier) @local (_ (identifier) @local)])))
(lambda_capture_initializer left: (identifier) @local)
(type_parameter_declaration (type_identifier) @local.type)
(variadic_type_parameter_declaration (type_identifier) @local.type)
(optional_type_parameter_declaration name: (type_identifier) @local.type)

(identifier) @reference.read
(field_expression) @reference.read
(qualified_identifier) @reference.read
(qualified_identifier scope: (_) @receiver name: (template_type name: (type_identifier) @reference.type))
(qualified_identifier scope: (_) @receiver name: (_ . scope: (template_type name: (type_identifier) @reference.type)))
(qualified_identifier name: (type_identifier)) @reference.type
((qualified_identifier scope: (namespace_identifier) @reference.read)
  (#not-eq? @reference.read "std"))
(call_expression function: (qualified_identifier) @reference.call arguments: (_) @arguments)
(call_expression function: (template_function name: (_) @reference.call) arguments: (_) @arguments)
(call_expression function: (_ . scope: (_) @receiver name: (template_function name: (_) @reference.call)) arguments: (_) @arguments)
(call_expression function: (_ . scope: (_) @receiver name: (qualified_identifier name: (template_function name: (_) @reference.call))) arguments: (_) @arguments)
(call_expression function: (field_expression argument: (_) @receiver field: (template_method name: (_) @reference.call)) arguments: (_) @arguments)
(argument_list (qualified_identifier) @reference.argument)
(argument_list (pointer_expression argument: (qualified_identifier) @reference.argument))
(pointer_expression argument: (qualified_identifier) @pointer)
(initializer_list (qualified_identifier) @reference.table)
([(compound_statement (declaration . type: (type_identifier) @owner.unless . declarator: [
    (init_declarator declarator: (identifier) @reference.call value: (argument_list) @arguments)
    (function_declarator . declarator: (identifier) @reference.call . parameters: (_) @arguments .)] .))
  (case_statement (declaration . type: (type_identifier) @owner.unless . declarator: [
    (init_declarator declarator: (identifier) @reference.call value: (argument_list) @arguments)
    (function_declarator . declarator: (identifier) @reference.call . parameters: (_) @arguments .)] .))])
(declaration . type: (type_identifier) . (ERROR) @receiver . declarator: [
  (init_declarator declarator: (identifier) @reference.call value: (argument_list) @arguments)
  (function_declarator . declarator: (identifier) @reference.call . parameters: (_) @arguments .)] .)
(declaration . type: (type_identifier) @label . (ERROR) . declarator: [(init_declarator value: (argument_list)) (function_declarator)] .)
(_ (ERROR . (identifier) @label .) . (expression_statement (call_expression)))
(compound_statement (declaration . type: (type_identifier) @label . declarator: (function_declarator declarator: (qualified_identifier))))
(new_expression type: [(type_identifier) (qualified_identifier)] @reference.construct)
(new_expression type: (template_type name: (_) @reference.construct))
(field_initializer . (field_identifier) @reference.read)

(parameter_declaration type: (_) @type.annotation declarator: (_ . ["&" "&&"] (identifier) @name))
(optional_parameter_declaration type: (_) @type.annotation declarator: [(identifier) @name (_ (identifier) @name)])
(compound_statement (declaration type: [(qualified_identifier) (template_type)] @type.annotation declarator: [
  (identifier) @name
  (_ . ["&" "&&"] (identifier) @name)
  (init_declarator declarator: [
    (identifier) @name
    (_ . "*" declarator: (identifier) @name)
    (_ . ["&" "&&"] (identifier) @name)])]))
(compound_statement (declaration type: (type_identifier) @type.annotation declarator: (init_declarator declarator: (_ . ["&" "&&"] (identifier) @name))))
(for_range_loop type: [(type_identifier) (qualified_identifier)] @type.annotation declarator: [(identifier) @name (_ (identifier) @name)])
(for_range_loop type: (placeholder_type_specifier) declarator: [
  (structured_binding_declarator . (_) . (identifier) @name .)
  (_ (structured_binding_declarator . (_) . (identifier) @name .))] right: [(identifier) (field_expression) (call_expression)] @type.keyed)
(for_range_loop type: (placeholder_type_specifier) declarator: [(identifier) @name (_ . "*" (identifier) @name) (_ . ["&" "&&"] (identifier) @name)] right: [(identifier) (field_expression) (call_expression)] @type.each)
(init_declarator declarator: [(identifier) @name (_ . "*" declarator: (identifier) @name)] value: (new_expression type: (_) @type.construct))
(init_declarator declarator: [(identifier) @name (_ . "*" (identifier) @name) (_ . ["&" "&&"] (identifier) @name)] value: (call_expression function: [(identifier) (field_expression) (qualified_identifier)] @type.call))
(init_declarator declarator: [(identifier) @name (_ . "*" (identifier) @name) (_ . ["&" "&&"] (identifier) @name)] value: (call_expression function: (template_function (template_argument_list . (_) @type.annotation))))
((init_declarator declarator: [(identifier) @name (_ . "*" (identifier) @name) (_ . ["&" "&&"] (identifier) @name)] value: (call_expression function:
  (_ . scope: (_) @_std name: (template_function arguments: (template_argument_list . (_) @type.annotation)))))
  (#eq? @_std "std"))
(init_declarator declarator: [(identifier) @name (_ . "*" (identifier) @name) (_ . ["&" "&&"] (identifier) @name)] value: (compound_literal_expression type: (_) @type.construct))
((init_declarator declarator: [(identifier) @name (_ . ["&" "&&"] (identifier) @name)] value: (call_expression
  function: (qualified_identifier name: (identifier) @_move) arguments: (argument_list . [(identifier) (field_expression)] @type.alias .)))
  (#eq? @_move "move"))
(condition_clause (_ type: [(type_identifier) (qualified_identifier) (template_type)] @type.annotation declarator: [(identifier) @name (_ (identifier) @name)]))
(condition_clause (_
  type: (placeholder_type_specifier) declarator: [(identifier) @name (_ (identifier) @name)]
  value: (call_expression function: [(identifier) (field_expression) (qualified_identifier)] @type.call)))
(condition_clause (_
  type: (placeholder_type_specifier) declarator: [(identifier) @name (_ (identifier) @name)]
  value: (call_expression function: (template_function (template_argument_list . (_) @type.annotation)))))
(init_declarator declarator: [(identifier) @name (_ . "*" (identifier) @name) (_ . ["&" "&&"] (identifier) @name)] value: (cast_expression type: (_) @type.annotation))
(init_declarator declarator: [(identifier) @name (_ . "*" (identifier) @name) (_ . ["&" "&&"] (identifier) @name)] value: [
  (identifier) @type.alias
  (field_expression) @type.alias
  (pointer_expression argument: [(identifier) (field_expression)] @type.alias)])

([(translation_unit (class_specifier !body name: (type_identifier) @declared))
  (declaration_list (class_specifier !body name: (type_identifier) @declared))
  (field_declaration type: (class_specifier !body name: (type_identifier) @declared))
  (template_declaration [(struct_specifier !body name: (type_identifier) @declared) (class_specifier !body name: (type_identifier) @declared)])])
(using_declaration (_ . scope: (_) @module name: [
  (identifier) @imported
  (_ . scope: (_) @module name: [
    (identifier) @imported
    (_ . scope: (_) @module name: [
      (identifier) @imported
      (_ . scope: (_) @module name: (identifier) @imported)])])])) @import
(using_declaration (qualified_identifier !scope name: (_ . scope: (_) @module name: [
  (identifier) @imported
  (_ . scope: (_) @module name: [
    (identifier) @imported
    (_ . scope: (_) @module name: (identifier) @imported)])]))) @import
(using_declaration "namespace" [(identifier) (qualified_identifier)] @module @wildcard) @import
; A result declared as `auto` has the type of the returned value.
(function_definition type: (placeholder_type_specifier) body: (compound_statement . (return_statement [(identifier) (field_expression)] @type.alias) .))
(function_definition type: (placeholder_type_specifier) body: (compound_statement . (return_statement (_ . function: [(identifier) (field_expression)] @type.call arguments: (_))) .))
