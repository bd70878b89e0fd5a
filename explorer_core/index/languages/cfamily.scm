; Shared by C and C++. A function's name is put in parentheses to keep a macro of that name from expanding.

(function_definition type: (_)? @returns declarator: [
  (_ . declarator: [(identifier) @name (parenthesized_declarator (identifier) @name)] parameters: (_))
  (_ . "*" declarator: [(_ . declarator: [(identifier) @name (parenthesized_declarator (identifier) @name)] parameters: (_)) (_ . "*" declarator: (_ . declarator: [(identifier) @name (parenthesized_declarator (identifier) @name)] parameters: (_)))])
  (_ . declarator: (parenthesized_declarator (_ . "*" declarator: (_ . declarator: (identifier) @name parameters: (_)))) parameters: (_))
] body: (_) @body) @definition.function
; A function that is defined by a macro: `DEFINE(name) { ... }`.
(translation_unit (function_definition type: (type_identifier) declarator: (parenthesized_declarator (identifier) @name) body: (_) @body) @definition.function)
(translation_unit (declaration type: (_)? @returns declarator: [
  (_ . declarator: [(identifier) @name (parenthesized_declarator (identifier) @name)] parameters: (_))
  (_ . "*" declarator: [(_ . declarator: [(identifier) @name (parenthesized_declarator (identifier) @name)] parameters: (_)) (_ . "*" declarator: (_ . declarator: [(identifier) @name (parenthesized_declarator (identifier) @name)] parameters: (_)))])
  (_ . declarator: (parenthesized_declarator (_ . "*" declarator: (_ . declarator: (identifier) @name parameters: (_)))) parameters: (_))
]) @definition.function)
(declaration_list (declaration type: (_)? @returns declarator: [
  (_ . declarator: [(identifier) @name (parenthesized_declarator (identifier) @name)] parameters: (_))
  (_ . "*" declarator: [(_ . declarator: [(identifier) @name (parenthesized_declarator (identifier) @name)] parameters: (_)) (_ . "*" declarator: (_ . declarator: [(identifier) @name (parenthesized_declarator (identifier) @name)] parameters: (_)))])
  (_ . declarator: (parenthesized_declarator (_ . "*" declarator: (_ . declarator: (identifier) @name parameters: (_)))) parameters: (_))
]) @definition.function)
(preproc_def name: (identifier) @name) @definition.constant @file
(preproc_function_def name: (identifier) @name) @definition.macro @file
(preproc_def value: (preproc_arg) @macro)
(preproc_function_def value: (preproc_arg) @macro)
((preproc_call directive: (preproc_directive) @_directive argument: (preproc_arg) @macro)
  (#match? @_directive "undef$"))
(struct_specifier name: (type_identifier) @name body: (_) @body) @definition.struct
(union_specifier name: (type_identifier) @name body: (_) @body) @definition.struct
(enum_specifier name: (type_identifier) @name body: (_) @body) @definition.enum
(enumerator name: (identifier) @name) @definition.constant
(type_definition declarator: [
  (type_identifier) @name
  (_ declarator: [
    (type_identifier) @name
    (_ declarator: (type_identifier) @name)
    (parenthesized_declarator [(type_identifier) @name (_ declarator: (type_identifier) @name)])
    (_ declarator: (parenthesized_declarator (_ declarator: (type_identifier) @name)))])]) @definition.type
(type_definition type: [(struct_specifier name: (_) @returns) (union_specifier name: (_) @returns) (enum_specifier name: (_) @returns) (type_identifier) @returns] declarator: [
  (type_identifier) @name (_ . "*" declarator: (type_identifier) @name)]) @definition.type
(type_definition type: [(struct_specifier !name body: (_) @body) (union_specifier !name body: (_) @body)] declarator: (type_identifier) @name) @definition.struct
(type_definition type: (enum_specifier !name body: (_) @body) declarator: (type_identifier) @name) @definition.enum
(type_definition type: [(struct_specifier !name body: (_)) (union_specifier !name body: (_))] declarator: (type_identifier) @returns declarator: (_ . "*" declarator: (type_identifier) @name)) @definition.type
(field_declaration type: (_) @returns declarator: [
  (field_identifier) @name
  (_ . "*" declarator: (field_identifier) @name)
  (array_declarator declarator: (field_identifier) @name)
  (_ declarator: [
    (_ . "*" declarator: (field_identifier) @name) (array_declarator declarator: (field_identifier) @name)
    (parenthesized_declarator (_ . "*" declarator: [(field_identifier) @name (array_declarator declarator: (field_identifier) @name)]))
    (_ declarator: [
      (_ . "*" declarator: (field_identifier) @name) (array_declarator declarator: (field_identifier) @name)
      (parenthesized_declarator (_ . "*" declarator: [(field_identifier) @name (array_declarator declarator: (field_identifier) @name)]))])])]) @definition.field
(field_declaration type: [(struct_specifier !name body: (_) @body) (union_specifier !name body: (_) @body)] declarator: [
  (field_identifier) @name
  (_ . "*" declarator: (field_identifier) @name)
  (array_declarator declarator: (field_identifier) @name)]) @definition.struct
(field_declaration type: (enum_specifier !name body: (_) @body) declarator: (field_identifier) @name) @definition.enum
(translation_unit (declaration type: (_) @returns declarator: [
  (identifier) @name
  (_ . "*" declarator: (identifier) @name)
  (array_declarator declarator: (identifier) @name)
  (init_declarator declarator: (identifier) @name)
  (_ declarator: [
    (_ . "*" declarator: (identifier) @name) (array_declarator declarator: (identifier) @name)
    (parenthesized_declarator (_ . "*" declarator: [(identifier) @name (array_declarator declarator: (identifier) @name)]))
    (_ declarator: [
      (_ . "*" declarator: (identifier) @name) (array_declarator declarator: (identifier) @name)
      (parenthesized_declarator (_ . "*" declarator: [(identifier) @name (array_declarator declarator: (identifier) @name)]))
      (_ declarator: [
        (_ . "*" declarator: (identifier) @name) (array_declarator declarator: (identifier) @name)
        (parenthesized_declarator (_ . "*" declarator: [(identifier) @name (array_declarator declarator: (identifier) @name)]))])])])]) @definition.variable)
(declaration_list (declaration type: (_) @returns declarator: [
  (identifier) @name
  (_ . "*" declarator: (identifier) @name)
  (array_declarator declarator: (identifier) @name)
  (init_declarator declarator: (identifier) @name)
  (_ declarator: [
    (_ . "*" declarator: (identifier) @name) (array_declarator declarator: (identifier) @name)
    (parenthesized_declarator (_ . "*" declarator: [(identifier) @name (array_declarator declarator: (identifier) @name)]))
    (_ declarator: [
      (_ . "*" declarator: (identifier) @name) (array_declarator declarator: (identifier) @name)
      (parenthesized_declarator (_ . "*" declarator: [(identifier) @name (array_declarator declarator: (identifier) @name)]))
      (_ declarator: [
        (_ . "*" declarator: (identifier) @name) (array_declarator declarator: (identifier) @name)
        (parenthesized_declarator (_ . "*" declarator: [(identifier) @name (array_declarator declarator: (identifier) @name)]))])])])]) @definition.variable)
(declaration type: [(struct_specifier name: (_) @returns body: (_)) (union_specifier name: (_) @returns body: (_))] declarator: [
  (identifier) @name
  (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])]) @returns.of
(field_declaration type: [(struct_specifier name: (_) @returns body: (_)) (union_specifier name: (_) @returns body: (_))] declarator: [
  (field_identifier) @name
  (_ declarator: [(field_identifier) @name (_ declarator: (field_identifier) @name)])]) @returns.of

[(compound_statement) (for_statement)] @block

(parameter_declaration declarator: [
  (identifier) @local
  (_ . "*" declarator: (identifier) @local)
  (array_declarator declarator: (identifier) @local)
  (_ declarator: [
    (_ . "*" declarator: (identifier) @local) (array_declarator declarator: (identifier) @local)
    (parenthesized_declarator (_ . "*" declarator: [(identifier) @local (array_declarator declarator: (identifier) @local)]))
    (_ declarator: [
      (_ . "*" declarator: (identifier) @local) (array_declarator declarator: (identifier) @local)
      (parenthesized_declarator (_ . "*" declarator: [(identifier) @local (array_declarator declarator: (identifier) @local)]))])])])
(compound_statement (declaration declarator: [
  (identifier) @local
  (_ . "*" declarator: (identifier) @local)
  (array_declarator declarator: (identifier) @local)
  (init_declarator declarator: (identifier) @local)
  (_ declarator: [
    (_ . "*" declarator: (identifier) @local) (array_declarator declarator: (identifier) @local)
    (parenthesized_declarator (_ . "*" declarator: [(identifier) @local (array_declarator declarator: (identifier) @local)]))
    (_ declarator: [
      (_ . "*" declarator: (identifier) @local) (array_declarator declarator: (identifier) @local)
      (parenthesized_declarator (_ . "*" declarator: [(identifier) @local (array_declarator declarator: (identifier) @local)]))])])]))
(for_statement initializer: (declaration declarator: [
  (identifier) @local
  (_ . "*" declarator: (identifier) @local)
  (init_declarator declarator: [
    (identifier) @local
    (_ . "*" declarator: (identifier) @local)])]))
(case_statement (declaration declarator: [
  (identifier) @local
  (_ . "*" declarator: (identifier) @local)
  (init_declarator declarator: [
    (identifier) @local
    (_ . "*" declarator: (identifier) @local)])]))
(parameter_declaration declarator: (function_declarator (parenthesized_declarator (_ . "*" (identifier) @local))))
(compound_statement (declaration declarator: [
  (function_declarator (parenthesized_declarator (_ . "*" (identifier) @local)))
  (init_declarator declarator: (function_declarator (parenthesized_declarator (_ . "*" (identifier) @local))))]))
(preproc_params (identifier) @local)
(parameter_declaration (function_declarator (parameter_list) @unbound))

(assignment_expression left: (field_expression) @owner right: [(identifier) (pointer_expression)] @placed.assigned)
(call_expression function: [(identifier) (field_expression)] @reference.call arguments: (_) @arguments)
(argument_list [(identifier) (field_expression)] @reference.argument)
(argument_list (pointer_expression argument: [(identifier) (field_expression)] @reference.argument))
(argument_list (cast_expression value: [(identifier) (field_expression)] @reference.argument))
; A string argument that may name an event.
(argument_list [
  (string_literal . (string_content) @topic .)
  (conditional_expression (string_literal . (string_content) @topic .))
])
(initializer_list [(identifier) (field_expression)] @reference.table)
(initializer_list (pointer_expression argument: (identifier) @reference.table))
(initializer_pair value: [(identifier) (field_expression)] @reference.table)
(type_identifier) @reference.type
(_
  type: [(struct_specifier name: (_) @owner) (type_identifier) @owner (type_descriptor type: [(struct_specifier name: (_) @owner) (type_identifier) @owner])]
  [(initializer_list (initializer_pair . (field_designator (field_identifier) @reference.read)))
   (init_declarator value: (initializer_list (initializer_pair . (field_designator (field_identifier) @reference.read))))
   (init_declarator value: (initializer_list [
     (initializer_list (initializer_pair . (field_designator (field_identifier) @reference.read)))
     (initializer_pair . (subscript_designator) value: (initializer_list (initializer_pair . (field_designator (field_identifier) @reference.read))))]))])

(parameter_declaration type: (_) @type.annotation declarator: [
  (identifier) @name
  (_ . "*" declarator: (identifier) @name)
  (array_declarator declarator: (identifier) @name)
  (_ declarator: [(_ . "*" declarator: (identifier) @name) (array_declarator declarator: (identifier) @name)])])
(compound_statement (declaration type: [(type_identifier) (struct_specifier)] @type.annotation declarator: [
  (identifier) @name
  (_ . "*" declarator: (identifier) @name)
  (array_declarator declarator: (identifier) @name)
  (init_declarator declarator: (identifier) @name)
  (_ declarator: [
    (_ . "*" declarator: (identifier) @name) (array_declarator declarator: (identifier) @name)
    (_ declarator: [(_ . "*" declarator: (identifier) @name) (array_declarator declarator: (identifier) @name)])])]))
(for_statement initializer: (declaration type: [(type_identifier) (struct_specifier)] @type.annotation declarator: [
  (identifier) @name
  (_ . "*" declarator: (identifier) @name)
  (init_declarator declarator: [
    (identifier) @name
    (_ . "*" declarator: (identifier) @name)])]))
(case_statement (declaration type: [(type_identifier) (struct_specifier)] @type.annotation declarator: [
  (identifier) @name
  (_ . "*" declarator: (identifier) @name)
  (init_declarator declarator: [
    (identifier) @name
    (_ . "*" declarator: (identifier) @name)])]))

(preproc_include path: (_) @module) @import
([(translation_unit [(struct_specifier !body name: (type_identifier) @declared) (union_specifier !body name: (type_identifier) @declared)])
  (declaration_list [(struct_specifier !body name: (type_identifier) @declared) (union_specifier !body name: (type_identifier) @declared)])
  (type_definition type: [(struct_specifier !body name: (type_identifier) @declared) (union_specifier !body name: (type_identifier) @declared)])
  (field_declaration type: [(struct_specifier !body name: (type_identifier) @declared) (union_specifier !body name: (type_identifier) @declared)])])
