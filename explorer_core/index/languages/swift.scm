(class_declaration declaration_kind: ["class" "actor"] name: (_) @name body: (_) @body) @definition.class
(class_declaration declaration_kind: "struct" name: (_) @name body: (_) @body) @definition.struct
(class_declaration declaration_kind: "enum" name: (_) @name body: (_) @body) @definition.enum
(protocol_declaration name: (_) @name body: (_) @body) @definition.interface
(class_declaration declaration_kind: "extension" name: (_) @owner) @region
(enum_entry name: (simple_identifier) @name) @definition.constant
(function_declaration "func" . name: _ @name body: (_)? @body) @definition.function
(function_declaration "func" . name: _ @name "->" . (_) @returns) @returns.of
(protocol_function_declaration "func" . name: _ @name) @definition.method
(subscript_declaration "subscript" @name "->" . (_) @returns (computed_property)? @body) @definition.method
(init_declaration "init" @name body: (_)? @body) @definition.constructor
(deinit_declaration "deinit" @name) @definition.method
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.variable
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name) (type_annotation (_) @returns)) @definition.variable
(_ name: (pattern bound_identifier: (simple_identifier) @name) computed_value: (_) @body) @definition.property
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name) (type_annotation (_) @returns)) @definition.property
(typealias_declaration name: (type_identifier) @name (user_type)? @returns) @definition.type
((value_argument name: (value_argument_label) @_targets value: (array_literal
    (_ . (prefix_expression) (call_suffix (value_arguments
      . (value_argument name: (value_argument_label) @_name value: (line_string_literal text: (_) @name))))) @definition.module))
  (#any-of? @_targets "targets" "contentsOf") (#eq? @_name "name"))
((value_argument name: (value_argument_label) @_targets value: (array_literal
    (_ . (prefix_expression) (call_suffix (value_arguments
      . (value_argument name: (value_argument_label) @_name value: (line_string_literal text: (_) @name))
      (value_argument name: (value_argument_label) @_path value: (line_string_literal) @returns)))) @definition.module))
  (#any-of? @_targets "targets" "contentsOf") (#eq? @_name "name") (#eq? @_path "path"))
(call_expression . [(simple_identifier) (navigation_expression)] @called (call_suffix
  [(value_arguments . (value_argument . value: (line_string_literal)) @name)
   (value_arguments . (value_argument . value: (prefix_expression)) . (value_argument . value: (line_string_literal)) @name)]
  (lambda_literal) @function)) @definition.callback
(lambda_literal) @scope
(lambda_literal type: (lambda_function_type (lambda_function_type_parameters
  (lambda_parameter name: (simple_identifier) @lambda.parameter .) @item) @list)) @function
(lambda_parameter (simple_identifier) @name . [(user_type) (optional_type) (array_type) (dictionary_type)] @type.annotation)
((navigation_expression . target: (simple_identifier) @lambda.placeholder) (#match? @lambda.placeholder "^[$][0-9]$"))
(computed_getter) @scope
(computed_setter) @scope

(class_declaration declaration_kind: "class" . (modifiers)? . name: (_) . (type_parameters)? . (inheritance_specifier inherits_from: (_) @supertype.extends))
(class_declaration declaration_kind: "class" (inheritance_specifier) (inheritance_specifier inherits_from: (_) @supertype.implements))
(class_declaration declaration_kind: ["actor" "struct" "enum"] (inheritance_specifier inherits_from: (_) @supertype.implements))
(protocol_declaration (inheritance_specifier inherits_from: (_) @supertype.extends))
(class_declaration declaration_kind: "extension" name: (_) @owner (inheritance_specifier inherits_from: (_) @supertype.implements))

(parameter name: (simple_identifier) @local)
(parameter external_name: (simple_identifier) @local)
(lambda_parameter name: (simple_identifier) @local)
(capture_list_item name: (simple_identifier) @local)
(pattern bound_identifier: (simple_identifier) @local)
; In 'if let till {' the name means what it means around.
(_ bound_identifier: (simple_identifier) @local . (type_annotation)? . "=")
((pattern . (simple_identifier) @local .) @_pattern (#match? @_pattern "^[^.]"))
(type_parameter (type_identifier) @local.type)
(type_parameter . (type_identifier) @name @type.bound .)
(type_parameter (type_identifier) @name (user_type) @type.bound)
(inheritance_constraint (identifier) @name (user_type) @type.bound)

(simple_identifier) @reference.read
(value_argument_label (simple_identifier) @label)
(call_suffix name: (simple_identifier) @label)
(enum_type_parameters (simple_identifier) @label)
(tuple_type_item name: (simple_identifier) @label)
(tuple_expression name: (simple_identifier) @label)
(switch_statement expr: (_) @owner (switch_entry (switch_pattern (pattern . "." . (simple_identifier) @reference.read))))
(equality_expression lhs: (_) @owner rhs: (_ . "." target: (simple_identifier) @reference.read))
(_ (type_annotation (_) @owner) value: (_ . "." target: (simple_identifier) @reference.read))
(assignment target: (_ (_) @owner) result: (_ . "." target: (simple_identifier) @reference.read))
(value_arguments "(" (value_argument value: (prefix_expression . "." . target: (simple_identifier) @lambda.key) @object))
(value_arguments "(" (value_argument value: (call_expression . (prefix_expression . "." . target: (simple_identifier) @lambda.key)) @object))
(call_expression . (_ . "." target: (simple_identifier) @reference.call) (call_suffix . (value_arguments "(") @arguments . (lambda_literal)? @arguments (simple_identifier)* @arguments))
(_ (type_annotation (_) @owner) value: (_ . (_ . "." target: (simple_identifier) @reference.call) (call_suffix)))
(navigation_expression) @reference.read
(call_expression . [(simple_identifier) (navigation_expression)] @reference.call (call_suffix . (value_arguments "(") @arguments))
(call_expression . [(simple_identifier) (navigation_expression)] @reference.call (call_suffix . (value_arguments "(")? @arguments . (lambda_literal) @arguments (simple_identifier)* @arguments))
(call_expression . [(simple_identifier) (navigation_expression)] @reference.call (call_suffix (value_arguments (value_argument ((value_argument_label) @arguments ":")+))))
(value_argument value: [(simple_identifier) (navigation_expression)] @reference.argument)
(selector_expression [(simple_identifier) (navigation_expression)] @reference.argument)
(array_literal [(simple_identifier) (navigation_expression)] @reference.table)
(dictionary_literal value: [(simple_identifier) (navigation_expression)] @reference.table)
(attribute (user_type) @reference.decorator)
(type_identifier) @reference.type
(user_type (type_identifier) @receiver (type_identifier) @reference.type)

(parameter (simple_identifier) @name . (parameter_modifiers)? . [
  (user_type) (optional_type) (array_type) (dictionary_type) (existential_type) (opaque_type)
] @type.annotation)
(_ name: (pattern bound_identifier: (simple_identifier) @name) value: (_ . [(simple_identifier) (navigation_expression)] @type.call (call_suffix [(value_arguments "(") (lambda_literal)])))
(_ name: (pattern bound_identifier: (simple_identifier) @name) value: [
  (postfix_expression target: (_ . [(simple_identifier) (navigation_expression)] @type.call (call_suffix (value_arguments "("))))
  (try_expression expr: (_ . [(simple_identifier) (navigation_expression)] @type.call (call_suffix [(value_arguments "(") (lambda_literal)])))
  (await_expression expr: (_ . [(simple_identifier) (navigation_expression)] @type.call (call_suffix [(value_arguments "(") (lambda_literal)])))
  (try_expression expr: (await_expression expr: (_ . [(simple_identifier) (navigation_expression)] @type.call (call_suffix [(value_arguments "(") (lambda_literal)]))))])
(_ bound_identifier: (simple_identifier) @name . (_ . [(simple_identifier) (navigation_expression)] @type.call (call_suffix [(value_arguments "(") (lambda_literal)])))
(_ name: (pattern bound_identifier: (simple_identifier) @name) value: (_ . expr: (_) (as_operator) (user_type) @type.annotation))
(_ name: (pattern bound_identifier: (simple_identifier) @name) value: [(simple_identifier) (navigation_expression)] @type.alias)
(_ name: (pattern bound_identifier: (simple_identifier) @name) value: (call_expression (call_suffix (value_arguments "["))) @type.alias)
(_ bound_identifier: (simple_identifier) @name . (_ . expr: (_) (as_operator) (user_type) @type.annotation))
(_ bound_identifier: (simple_identifier) @name . [(simple_identifier) (navigation_expression)] @type.alias)
(for_statement item: (pattern bound_identifier: (simple_identifier) @name) collection: [(simple_identifier) (navigation_expression) (call_expression)] @type.each)
(_ name: (pattern bound_identifier: (simple_identifier) @name) value: [
  (line_string_literal) (multi_line_string_literal) (dictionary_literal)
  (call_expression . [(array_literal) (dictionary_literal)])] @type.literal)
(_ name: (pattern bound_identifier: (simple_identifier) @name) value: (array_literal) @type.listed)
(for_statement item: (pattern bound_identifier: (simple_identifier) @name) collection: (array_literal) @type.each_listed)
(assignment target: (_ (_ . target: (self_expression) suffix: (navigation_suffix suffix: (simple_identifier) @field))) result: (_ . [(simple_identifier) (navigation_expression)] @type.call (call_suffix [(value_arguments "(") (lambda_literal)])))
(assignment target: (_ (_ . target: (self_expression) suffix: (navigation_suffix suffix: (simple_identifier) @field))) result: (simple_identifier) @type.alias)

(enum_entry data_contents: (enum_type_parameters name: (_) @type.placed))
(switch_statement expr: [(self_expression) (simple_identifier) (navigation_expression)] @of
  (switch_entry (switch_pattern (pattern . (value_binding_pattern)? . "." . (simple_identifier) @type.at
    (pattern [bound_identifier: (simple_identifier) (simple_identifier)] @name) @item))))
(switch_statement (switch_entry (switch_pattern (pattern (user_type) @of . "." . (simple_identifier) @type.at
    (pattern [bound_identifier: (simple_identifier) (simple_identifier)] @name) @item))))
(_ condition: (simple_identifier) @type.at
  . "(" . (pattern [bound_identifier: (simple_identifier) (simple_identifier)] @name) @item . ")"
  . "=" . [(self_expression) (simple_identifier) (navigation_expression)] @of)

(import_declaration (identifier) @module) @import
(import_declaration (modifiers (attribute (user_type (type_identifier) @_exported))) @reexport (identifier) @module (#eq? @_exported "_exported")) @import
(import_declaration ["class" "enum" "func" "let" "protocol" "struct" "typealias" "var"] (identifier) @tree) @import
