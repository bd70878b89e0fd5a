(package_clause (package_identifier) @package)

(function_declaration name: (identifier) @name result: (_)? @returns body: (block)? @body) @definition.function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: (_) @owner))
  name: (field_identifier) @name result: (_)? @returns body: (block)? @body) @definition.method
(type_spec name: (type_identifier) @name) @definition.type
(type_alias name: (type_identifier) @name type: (_) @returns) @definition.type
(type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body)) @definition.struct
(type_spec name: (type_identifier) @name type: (interface_type "{" @body)) @definition.interface
(method_elem name: (field_identifier) @name result: (_)? @returns) @definition.method
(struct_type (field_declaration_list (field_declaration name: (field_identifier) @name type: (_) @returns) @definition.field))
(source_file (const_declaration (const_spec (identifier) @name type: (_)? @returns) @definition.constant))
(source_file (var_declaration (var_spec name: (identifier) @name type: (_)? @returns) @definition.variable))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name type: (_)? @returns) @definition.variable)))
(var_declaration [
  (var_spec name: (identifier) @name value: (expression_list . (func_literal result: (_)? @returns body: (_) @body)))
  (var_spec_list (var_spec name: (identifier) @name value: (expression_list . (func_literal result: (_)? @returns body: (_) @body))))]) @definition.function
(short_var_declaration left: (expression_list . (identifier) @name) right: (expression_list . (func_literal result: (_)? @returns body: (_) @body))) @definition.function
(assignment_statement left: (expression_list . (identifier) @name) right: (expression_list . (func_literal result: (_)? @returns body: (_) @body))) @definition.function
(call_expression
  function: [(identifier) (selector_expression)] @called
  arguments: (argument_list . [(interpreted_string_literal) (raw_string_literal)] @name [
    (func_literal) @function
    (_ . function: (_) arguments: (argument_list (func_literal) @function))])) @definition.callback
(type_declaration . (type_spec name: (_) @name) .) @extent
(type_declaration "type" . (type_spec name: (_) @name) .) @extent
(source_file (const_declaration "const" . (const_spec name: (identifier) @name) .) @extent)
(source_file (var_declaration "var" . (var_spec name: (identifier) @name) .) @extent)

(field_declaration !name type: [(type_identifier) (qualified_type)] @supertype.extends)
(field_declaration !name type: (pointer_type [(type_identifier) (qualified_type)] @supertype.extends))
(field_declaration !name type: (generic_type type: (_) @supertype.extends))
(interface_type (type_elem . [(type_identifier) (qualified_type)] @supertype.extends .))
(var_spec type: [(type_identifier) (qualified_type)] @supertype.implements value: (expression_list . (call_expression
  function: (parenthesized_expression (unary_expression operand: [(identifier) (selector_expression)] @owner)) arguments: (argument_list . (nil) .))))
((var_spec name: (identifier) @_name type: [(type_identifier) (qualified_type)] @supertype.implements value: (expression_list . [
  (composite_literal type: [(type_identifier) (qualified_type)] @owner)
  (unary_expression operand: (composite_literal type: [(type_identifier) (qualified_type)] @owner))]))
  (#eq? @_name "_"))

(parameter_declaration name: (identifier) @local)
(variadic_parameter_declaration name: (identifier) @local)
(type_parameter_declaration name: (identifier) @local.type)
(type_parameter_declaration name: (identifier) @name type: (type_constraint (_) @type.bound))
(short_var_declaration left: (expression_list (identifier) @local))
(short_var_declaration left: (_) @declared_with right: (_) @initial)
(range_clause left: (expression_list (identifier) @local))
(receive_statement left: (expression_list (identifier) @local))
(type_switch_statement alias: (expression_list (identifier) @local))
(var_spec name: (identifier) @local)
(const_spec name: (identifier) @local)
(func_literal) @scope
[(block) (if_statement) (for_statement) (expression_switch_statement) (type_switch_statement)
 (expression_case) (type_case) (communication_case) (default_case)] @block
(parameter_declaration type: (function_type) @unbound)

(_expression/identifier) @reference.use
(selector_expression) @reference.use
(call_expression function: [(identifier) (selector_expression)] @reference.call)
(call_expression function: (parenthesized_expression [(identifier) (selector_expression)] @reference.call))
(argument_list [(identifier) (selector_expression)] @reference.argument)
(literal_value (literal_element [(identifier) (selector_expression)] @reference.table))
(keyed_element (_) (literal_element [(identifier) (selector_expression)] @reference.table))
(type_conversion_expression type: (generic_type type: [(type_identifier) (qualified_type)] @reference.call))
(composite_literal type: [(type_identifier) (qualified_type)] @reference.construct)
(composite_literal type: (generic_type type: (_) @reference.construct))
(composite_literal type: [(type_identifier) (qualified_type) (generic_type)] @owner
  body: (literal_value (keyed_element key: (literal_element (identifier) @reference.read))))
(composite_literal
  type: [
    (slice_type element: [(type_identifier) (qualified_type)] @owner)
    (slice_type element: (pointer_type [(type_identifier) (qualified_type)] @owner))
    (array_type element: [(type_identifier) (qualified_type)] @owner)]
  body: (literal_value (literal_element (literal_value (keyed_element key: (literal_element (identifier) @reference.read))))))
(composite_literal
  type: [
    (map_type value: [(type_identifier) (qualified_type)] @owner)
    (map_type value: (pointer_type [(type_identifier) (qualified_type)] @owner))]
  body: (literal_value (keyed_element
    value: (literal_element (literal_value (keyed_element key: (literal_element (identifier) @reference.read)))))))
(composite_literal type: [(type_identifier) (qualified_type)] @owner body: (literal_value) @placed)
(composite_literal
  type: [
    (slice_type element: [(type_identifier) (qualified_type)] @owner)
    (slice_type element: (pointer_type [(type_identifier) (qualified_type)] @owner))
    (array_type element: [(type_identifier) (qualified_type)] @owner)
    (map_type value: [(type_identifier) (qualified_type)] @owner)
    (map_type value: (pointer_type [(type_identifier) (qualified_type)] @owner))]
  body: (literal_value [(literal_element (literal_value) @placed) (keyed_element value: (literal_element (literal_value) @placed))]))
(assignment_statement left: (expression_list . [(selector_expression) @owner (index_expression operand: (selector_expression) @owner)] .)
  right: (expression_list . [(identifier) (selector_expression)] @placed.assigned .))
(type_identifier) @reference.type
(qualified_type) @reference.type

(send_statement channel: [(identifier) (selector_expression)] @passage.in)
(unary_expression operator: "<-" operand: [(identifier) (selector_expression)] @passage.out)
(argument_list (identifier) @passage.on)
(range_clause left: (expression_list . (identifier) .) right: [(identifier) (selector_expression)] @passage.out)
(range_clause . "range" right: [(identifier) (selector_expression)] @passage.out)

(parameter_declaration name: (identifier) @name type: (_) @type.annotation)
(variadic_parameter_declaration name: (identifier) @name "..." @receiver type: (_) @type.annotation)
(short_var_declaration left: (expression_list . (_) . (_)) @type.pairs right: (expression_list . (_) . (_)) @value)
(short_var_declaration left: (expression_list . (identifier) @name) right: (expression_list . [
  (composite_literal type: (_) @type.construct)
  (unary_expression operand: (composite_literal type: (_) @type.construct))]))
(short_var_declaration left: (expression_list . (identifier) @name) right: (expression_list . (call_expression function: [(identifier) (selector_expression)] @type.call)))
([
  (short_var_declaration left: (expression_list . (identifier) @name)
    right: (expression_list . (call_expression function: (func_literal result: (_) @type.annotation))))
  (short_var_declaration left: (expression_list . (identifier) @name)
    right: (expression_list . (call_expression function: (func_literal result: (parameter_list . (parameter_declaration type: (_) @type.annotation))))))]
  (#not-match? @type.annotation "^\\("))
(short_var_declaration left: (expression_list . (identifier) @name) right: (expression_list . [(identifier) (selector_expression)] @type.alias))
(short_var_declaration left: (expression_list . (identifier) @name) right: (expression_list . (unary_expression
  operator: "&" operand: [(identifier) (selector_expression) (index_expression)] @type.alias)))
(short_var_declaration left: (expression_list . (identifier) @name) right: (expression_list . (type_assertion_expression type: (_) @type.annotation)))
(assignment_statement left: (expression_list . (identifier) @name) right: (expression_list . (call_expression function: [(identifier) (selector_expression)] @type.call)))
(short_var_declaration left: (expression_list . (identifier) @name) right: (expression_list . (call_expression
  function: (identifier) @_new arguments: (argument_list . [(type_identifier) (qualified_type)] @type.construct .))))
(short_var_declaration left: (expression_list . (identifier) @name) right: (expression_list . (call_expression
  arguments: (argument_list . [(slice_type) (map_type) (channel_type)] @type.annotation))))
(short_var_declaration left: (expression_list . (identifier) @name) right: (expression_list . (unary_expression
  operator: "<-" operand: [(identifier) (selector_expression) (call_expression)] @type.each)))
(receive_statement left: (expression_list . (identifier) @name) right: (unary_expression
  operator: "<-" operand: [(identifier) (selector_expression) (call_expression)] @type.each))
(type_switch_statement alias: (expression_list (identifier) @name) (type_case "case" . type: (_) @type.annotation . ":") @within)
(type_switch_statement alias: (expression_list (identifier) @name) value: [(identifier) (selector_expression)] @type.alias)
(type_switch_statement alias: (expression_list (identifier) @name) value: (call_expression function: [(identifier) (selector_expression)] @type.call))
(var_spec name: (identifier) @name type: (_) @type.annotation)
(range_clause left: (expression_list . (identifier) @name .) right: [(identifier) (selector_expression) (call_expression)] @type.first)
(range_clause left: (expression_list . (_) . (identifier) @name) right: [(identifier) (selector_expression) (call_expression) (index_expression) (slice_expression)] @type.entry)
(short_var_declaration left: (expression_list . (identifier) @name) right: (expression_list . (index_expression) @type.alias))
(var_spec . name: (identifier) @name value: (expression_list . (call_expression function: [(identifier) (selector_expression)] @type.call)))
(var_spec . name: (identifier) @name value: (expression_list . (type_assertion_expression type: (_) @type.annotation)))
(var_spec . name: (identifier) @name value: (expression_list . [
  (composite_literal type: (_) @type.construct)
  (unary_expression operand: (composite_literal type: (_) @type.construct))]))

(import_spec !name path: (_) @module) @import
(import_spec name: (package_identifier) @alias path: (_) @module) @import
(import_spec name: (dot) @wildcard path: (_) @module) @import
(import_spec name: (blank_identifier) @blank path: (_) @module) @import
