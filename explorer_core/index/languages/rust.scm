(struct_item name: (type_identifier) @name body: (_)? @body) @definition.struct
(union_item name: (type_identifier) @name body: (_) @body) @definition.struct
(enum_item name: (type_identifier) @name body: (_) @body) @definition.enum
(enum_variant name: (identifier) @name) @definition.constant
(trait_item name: (type_identifier) @name body: (_) @body) @definition.trait
(field_declaration name: (field_identifier) @name type: (_) @returns) @definition.field
(function_item name: (identifier) @name return_type: (_)? @returns body: (_) @body) @definition.function
(function_signature_item name: (identifier) @name return_type: (_)? @returns) @definition.function
(const_item name: (identifier) @name type: (_) @returns) @definition.constant
(static_item name: (identifier) @name type: (_) @returns) @definition.variable
(type_item name: (type_identifier) @name type: (_) @returns) @definition.type
(associated_type name: (type_identifier) @name) @definition.type
(macro_definition name: (identifier) @name) @definition.macro
((attribute_item (attribute (identifier) @_marks)) . [(attribute_item) (line_comment) (block_comment)]* . (function_item name: (identifier) @name) @definition.macro
  (#any-of? @_marks "proc_macro" "proc_macro_attribute"))
(mod_item name: (identifier) @name body: (_) @body) @definition.module
(attribute_item) @attribute
(impl_item !trait type: (_) @owner) @region
(impl_item trait: (_) @open type: (_) @owner) @region
(impl_item trait: (_) @supertype.implements type: (_) @owner)
(attribute_item (attribute (identifier) @_derive arguments: (token_tree (identifier) @supertype.implements))
  (#eq? @_derive "derive"))
(trait_item bounds: (trait_bounds [(type_identifier) (scoped_type_identifier) (generic_type)] @supertype.extends))

(parameter pattern: (identifier) @local)
(let_declaration pattern: (identifier) @local)
(let_declaration pattern: (_) @declared_with value: (_) @initial)
(let_condition pattern: (_) @declared_with value: (_) @initial)
(let_condition pattern: (identifier) @local)
(for_expression pattern: (identifier) @local)
(closure_parameters (identifier) @local)
([
  (match_pattern (identifier) @local)
  (tuple_pattern (identifier) @local)
  (tuple_struct_pattern type: (_) (identifier) @local)
  (slice_pattern (identifier) @local)
  (field_pattern pattern: (identifier) @local)]
  (#match? @local "^[a-z_]"))
(ref_pattern (identifier) @local)
(mut_pattern (identifier) @local)
(reference_pattern (identifier) @local)
(captured_pattern (identifier) @local)
(shorthand_field_identifier) @local
(type_parameter name: (type_identifier) @local.type)
(closure_expression parameters: (closure_parameters [
  (identifier) @lambda.parameter @item
  (reference_pattern (identifier) @lambda.parameter) @item
  (mut_pattern (identifier) @lambda.parameter) @item]) @list) @function
(closure_expression) @scope
[(block) (for_expression) (match_arm)] @block
(if_expression condition: [(let_condition) (let_chain)]) @block
(while_expression condition: [(let_condition) (let_chain)]) @block
(type_parameter !bounds name: (type_identifier) @name @type.bound)
(type_parameter name: (type_identifier) @name @type.bound bounds: (trait_bounds . [(lifetime) (removed_trait_bound)] .))
(type_parameter name: (type_identifier) @name bounds: (trait_bounds [(type_identifier) (scoped_type_identifier) (generic_type) (function_type)] @type.bound))
(where_predicate left: (type_identifier) @name bounds: (trait_bounds [(type_identifier) (scoped_type_identifier) (generic_type) (function_type)] @type.bound))

(_expression/identifier) @reference.use
(_expression/field_expression) @reference.use
(_expression/scoped_identifier) @reference.use
(_pattern/scoped_identifier) @reference.read
([
  (match_pattern (identifier) @reference.read)
  (or_pattern (identifier) @reference.read)
  (tuple_pattern (identifier) @reference.read)
  (tuple_struct_pattern type: (_) (identifier) @reference.read)
  (slice_pattern (identifier) @reference.read)
  (field_pattern pattern: (identifier) @reference.read)]
  (#match? @reference.read "^[A-Z]"))
(scoped_identifier path: [(identifier) (scoped_identifier)] @reference.read)
(scoped_type_identifier path: [(identifier) (scoped_identifier)] @reference.read)
(tuple_struct_pattern type: (_) @reference.read)
(struct_pattern type: (_) @reference.read)
(call_expression function: [(identifier) (field_expression) (scoped_identifier)] @reference.call)
(generic_function function: [(identifier) (field_expression) (scoped_identifier)] @reference.call)
(struct_expression name: [(type_identifier) (scoped_type_identifier)] @reference.construct)
(struct_expression name: (generic_type_with_turbofish type: (_) @reference.construct))
(struct_expression name: (_) @owner body: (field_initializer_list [
  (field_initializer field: (field_identifier) @reference.read)
  (shorthand_field_initializer (identifier) @reference.read)]))
(struct_pattern type: (_) @owner (field_pattern name: (_) @reference.read))
(macro_invocation macro: [(identifier) (scoped_identifier)] @reference.macro)
(token_tree (identifier) @reference.use)
(macro_invocation (token_tree) @tokens)
(source_file (macro_definition name: (_) @name (macro_rule right: (_) @template)))
(source_file (macro_invocation (token_tree) @tokens.items))
(source_file (expression_statement (macro_invocation (token_tree) @tokens.items)))
(declaration_list (macro_invocation (token_tree) @tokens.items))
(arguments [(identifier) (scoped_identifier)] @reference.argument)
(arguments (reference_expression value: [(identifier) (scoped_identifier)] @reference.argument))
(arguments [
  (_ . function: (scoped_identifier) @message.in)
  (struct_expression name: (scoped_type_identifier) @message.in)
  (scoped_identifier) @message.in])
(match_arm pattern: (_) @message.out value: (block (expression_statement . [
  (call_expression) (try_expression) (await_expression) (assignment_expression) (compound_assignment_expr)
  (if_expression) (match_expression) (for_expression) (loop_expression) (while_expression)])) @done)
(match_arm pattern: (_) @message.out value: [
  (call_expression) @done @value
  (try_expression) @done @value
  (await_expression) @done @value
  (block . [(call_expression) (try_expression) (await_expression)] @value .) @done])
(array_expression [(identifier) (scoped_identifier)] @reference.table)
(field_initializer value: [(identifier) (scoped_identifier)] @reference.table)
(attribute [(identifier) (scoped_identifier)] @reference.decorator)
((attribute . (_) @_name arguments: (token_tree (identifier) @reference.decorator)) (#eq? @_name "derive"))
(attribute arguments: (token_tree (identifier) @reference.argument))
(attribute arguments: (token_tree ["(" ","] . (identifier) @reference.decorator . (token_tree)))
; The attribute's own words: flags (`long`), keys (`long = "x"`), and the conditions of a `cfg`.
; The `!` of a macro cannot be told by an anchor.
((attribute . (_) @_name arguments: (token_tree ["(" ","] . (identifier) @label . ["," ")" "="]) @_list)
  (#not-eq? @_name "derive") (#match? @label "^[a-z_]") (#not-match? @_list "\\w!"))
((attribute . (_) @_name arguments: (token_tree (identifier) @label)) (#eq? @_name "cfg"))
((attribute . (_) @_name arguments: (token_tree (token_tree (identifier) @label))) (#eq? @_name "cfg"))
((attribute . (_) @_name arguments: (token_tree (token_tree (token_tree (identifier) @label)))) (#eq? @_name "cfg"))
; A string in an attribute that may name a function, by a path or by a name of several words.
((attribute arguments: (token_tree "=" . (string_literal (string_content) @reference.argument)))
  (#match? @reference.argument "^(\\w+::)*[a-z]\\w*(::|_)\\w+$"))
(type_identifier) @reference.type
(scoped_type_identifier) @reference.type

(parameter pattern: (identifier) @name type: (_) @type.annotation)
(let_declaration pattern: (tuple_pattern) @type.pairs value: (tuple_expression) @value)
(let_declaration pattern: (identifier) @name type: (_) @type.annotation)
(let_declaration pattern: (identifier) @name value: [
  (struct_expression name: (_) @type.construct)
  (reference_expression value: (struct_expression name: (_) @type.construct))])
(let_declaration pattern: (identifier) @name value: [
  (call_expression function: [(identifier) (field_expression) (scoped_identifier) (generic_function)] @type.call)
  (try_expression (call_expression function: [(identifier) (field_expression) (scoped_identifier) (generic_function)] @type.call))
  (await_expression (call_expression function: [(identifier) (field_expression) (scoped_identifier) (generic_function)] @type.call))
  (try_expression (await_expression (call_expression function: [(identifier) (field_expression) (scoped_identifier) (generic_function)] @type.call)))])
(let_declaration pattern: (identifier) @name value: (macro_invocation macro: (_) @receiver (token_tree . "[" @type.alias)))
(let_declaration pattern: (identifier) @name value: (macro_invocation macro: (_) @receiver
  (token_tree . "(" @type.alias . [(string_literal) (raw_string_literal) ")"])))
((_
  pattern: (tuple_struct_pattern type: (identifier) @_held . [
    (identifier) @name
    (ref_pattern (identifier) @name)
    (ref_pattern (mut_pattern (identifier) @name))
    (mut_pattern (identifier) @name)
    (tuple_struct_pattern type: (identifier) @_held . [
      (identifier) @name
      (ref_pattern (identifier) @name)
      (mut_pattern (identifier) @name)] .)] .)
  value: [(call_expression function: [(identifier) (field_expression) (scoped_identifier)] @type.call)
    (try_expression (call_expression function: [(identifier) (field_expression) (scoped_identifier)] @type.call))
    (await_expression (call_expression function: [(identifier) (field_expression) (scoped_identifier)] @type.call))
    (try_expression (await_expression (call_expression function: [(identifier) (field_expression) (scoped_identifier)] @type.call)))])
  (#any-of? @_held "Some" "Ok"))
((match_expression
  value: [(call_expression function: [(identifier) (field_expression) (scoped_identifier)] @type.call)
    (try_expression (call_expression function: [(identifier) (field_expression) (scoped_identifier)] @type.call))
    (await_expression (call_expression function: [(identifier) (field_expression) (scoped_identifier)] @type.call))
    (try_expression (await_expression (call_expression function: [(identifier) (field_expression) (scoped_identifier)] @type.call)))]
  body: (match_block (match_arm pattern: (match_pattern (tuple_struct_pattern type: (identifier) @_held . [
    (identifier) @name
    (ref_pattern (identifier) @name)
    (ref_pattern (mut_pattern (identifier) @name))
    (mut_pattern (identifier) @name)
    (tuple_struct_pattern type: (identifier) @_held . [
      (identifier) @name
      (ref_pattern (identifier) @name)
      (mut_pattern (identifier) @name)] .)] .)))))
  (#any-of? @_held "Some" "Ok"))
((_
  pattern: (tuple_struct_pattern type: (identifier) @_held . [
    (identifier) @name
    (ref_pattern (identifier) @name)
    (ref_pattern (mut_pattern (identifier) @name))
    (mut_pattern (identifier) @name)
    (tuple_struct_pattern type: (identifier) @_held . [
      (identifier) @name
      (ref_pattern (identifier) @name)
      (mut_pattern (identifier) @name)] .)] .)
  value: [(identifier) (field_expression)] @type.alias)
  (#any-of? @_held "Some" "Ok"))
((match_expression
  value: [(identifier) (field_expression)] @type.alias
  body: (match_block (match_arm pattern: (match_pattern (tuple_struct_pattern type: (identifier) @_held . [
    (identifier) @name
    (ref_pattern (identifier) @name)
    (ref_pattern (mut_pattern (identifier) @name))
    (mut_pattern (identifier) @name)
    (tuple_struct_pattern type: (identifier) @_held . [
      (identifier) @name
      (ref_pattern (identifier) @name)
      (mut_pattern (identifier) @name)] .)] .)))))
  (#any-of? @_held "Some" "Ok"))
((_
  pattern: (tuple_struct_pattern type: (identifier) @_held . [
    (identifier) @name
    (ref_pattern (identifier) @name)
    (ref_pattern (mut_pattern (identifier) @name))
    (mut_pattern (identifier) @name)
    (tuple_struct_pattern type: (identifier) @_held . [
      (identifier) @name
      (ref_pattern (identifier) @name)
      (mut_pattern (identifier) @name)] .)] .)
  value: (reference_expression value: [(identifier) (field_expression)] @type.alias))
  (#any-of? @_held "Some" "Ok"))
((match_expression
  value: (reference_expression value: [(identifier) (field_expression)] @type.alias)
  body: (match_block (match_arm pattern: (match_pattern (tuple_struct_pattern type: (identifier) @_held . [
    (identifier) @name
    (ref_pattern (identifier) @name)
    (ref_pattern (mut_pattern (identifier) @name))
    (mut_pattern (identifier) @name)
    (tuple_struct_pattern type: (identifier) @_held . [
      (identifier) @name
      (ref_pattern (identifier) @name)
      (mut_pattern (identifier) @name)] .)] .)))))
  (#any-of? @_held "Some" "Ok"))
((let_declaration pattern: (identifier) @name value: (match_expression
  value: [(call_expression function: [(identifier) (field_expression) (scoped_identifier)] @type.call)
    (try_expression (call_expression function: [(identifier) (field_expression) (scoped_identifier)] @type.call))
    (await_expression (call_expression function: [(identifier) (field_expression) (scoped_identifier)] @type.call))
    (try_expression (await_expression (call_expression function: [(identifier) (field_expression) (scoped_identifier)] @type.call)))]
  body: (match_block (match_arm
    pattern: (match_pattern (tuple_struct_pattern type: (identifier) @_held . [
      (identifier) @_inner
      (tuple_struct_pattern type: (identifier) @_held . (identifier) @_inner .)] .))
    value: (identifier) @_given))))
  (#any-of? @_held "Some" "Ok") (#eq? @_inner @_given))
((let_declaration pattern: (identifier) @name value: (match_expression
  value: [(identifier) (field_expression)] @type.alias
  body: (match_block (match_arm
    pattern: (match_pattern (tuple_struct_pattern type: (identifier) @_held . [
      (identifier) @_inner
      (tuple_struct_pattern type: (identifier) @_held . (identifier) @_inner .)] .))
    value: (identifier) @_given))))
  (#any-of? @_held "Some" "Ok") (#eq? @_inner @_given))
((tuple_struct_pattern type: (_) @type.at [
    (identifier) @name @item
    (ref_pattern (identifier) @name) @item
    (ref_pattern (mut_pattern (identifier) @name)) @item
    (mut_pattern (identifier) @name) @item])
  (#not-match? @type.at "^(?:Some|Ok|Err)$") (#match? @name "^[a-z_]"))
(struct_pattern type: (_) @type.member (field_pattern name: (shorthand_field_identifier) @name))
(struct_pattern type: (_) @type.member (field_pattern name: (field_identifier) @key pattern: [
  (identifier) @name
  (ref_pattern (identifier) @name)
  (mut_pattern (identifier) @name)]))
(ordered_field_declaration_list type: (_) @type.placed)
(let_declaration pattern: (identifier) @name value: [
  (identifier) @type.alias
  (field_expression) @type.alias
  (index_expression) @type.alias
  (reference_expression value: [(identifier) (field_expression) (index_expression)] @type.alias)])
(for_expression pattern: (tuple_pattern . (_) . (identifier) @name .)
  value: [(identifier) (field_expression) (call_expression) (index_expression)] @type.entry)
(for_expression pattern: (tuple_pattern . (_) . (identifier) @name .) value: (reference_expression
  value: [(identifier) (field_expression) (call_expression) (index_expression)] @type.entry))
(for_expression pattern: (identifier) @name
  value: [(identifier) (field_expression) (call_expression) (index_expression)] @type.each)
(for_expression pattern: (identifier) @name value: (reference_expression
  value: [(identifier) (field_expression) (call_expression) (index_expression)] @type.each))

(use_declaration argument: (_) @tree) @import
(use_declaration (visibility_modifier) @reexport argument: (_) @tree) @import
(mod_item !body name: (identifier) @module @submodule) @import
