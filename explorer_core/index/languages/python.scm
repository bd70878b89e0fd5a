(class_definition name: (identifier) @name body: (block) @body) @definition.class
(function_definition name: (identifier) @name return_type: (type)? @returns body: (block) @body) @definition.function
(assignment left: (identifier) @name type: (type)? @returns) @definition.variable
(module (assignment left: [(pattern_list (identifier) @name) (tuple_pattern (identifier) @name)]) @definition.variable)
(assignment left: (identifier) @name right: (lambda body: (_) @body)) @definition.function
(type_alias_statement left: (type (identifier) @name)) @definition.type
(type_alias_statement left: (type (generic_type (identifier) @name))) @definition.type
(decorated_definition definition: (_ name: (identifier) @name)) @decorated
((decorated_definition
  (decorator [(identifier) @_by (attribute attribute: (identifier) @_by) (attribute object: (_) attribute: (identifier) @_by)])
  definition: (function_definition name: (identifier) @name)) @definition.property
  (#any-of? @_by "property" "cached_property" "setter" "deleter"))

(class_definition superclasses: (argument_list [(identifier) (attribute) (subscript)] @supertype.extends))

(global_statement (identifier) @global)
(lambda) @scope
(parameter/identifier) @local
(pattern/identifier) @local
(typed_parameter . [(identifier) @local (_ (identifier) @local)])
(default_parameter name: (identifier) @local)
(typed_default_parameter name: (identifier) @local)
(list_splat_pattern (identifier) @local)
(dictionary_splat_pattern (identifier) @local)
(as_pattern_target [(identifier) @local (tuple (identifier) @local) (list (identifier) @local)])
(case_pattern [(dotted_name . (identifier) @local .) (as_pattern (identifier) @local)])
(keyword_pattern (dotted_name . (identifier) @local .))
(splat_pattern (identifier) @local)
(named_expression name: (identifier) @local)

(decorator [(identifier) (attribute)] @reference.decorator)
(decorator (call function: [(identifier) (attribute)] @reference.decorator))
(argument_list [(identifier) (attribute)] @reference.argument)
; A string argument that may name an event.
(argument_list (string . (string_start) . (string_content) @topic . (string_end)))
(keyword_argument value: [(identifier) (attribute)] @reference.argument)
(list [(identifier) (attribute)] @reference.table)
(tuple [(identifier) (attribute)] @reference.table)
(set [(identifier) (attribute)] @reference.table)
(pair value: [(identifier) (attribute)] @reference.table)
(pair key: [(identifier) (attribute)] @reference.table)
(type [(identifier) (attribute)] @reference.type)
(type (generic_type (identifier) @reference.type))
(type (binary_operator [(identifier) (attribute)] @reference.type))
(type (subscript [(identifier) (attribute)] @reference.type))
(type (subscript (subscript [(identifier) (attribute)] @reference.type)))
(type (string (string_content) @quoted))
(type (subscript [(string (string_content) @quoted) (list (string (string_content) @quoted))]))
(type (subscript (subscript (string (string_content) @quoted))))
(type (binary_operator (string (string_content) @quoted)))
(type (list (string (string_content) @quoted)))
((call function: [(identifier) @_cast (attribute attribute: (identifier) @_cast)] arguments: (argument_list . (string (string_content) @quoted)))
  (#eq? @_cast "cast"))
((keyword_argument name: (identifier) @_bound value: (string (string_content) @quoted)) (#eq? @_bound "bound"))
(assignment left: (attribute) @reference.read)
(augmented_assignment left: [(identifier) (attribute)] @reference.read)
(pattern_list (attribute) @reference.read)
(tuple_pattern (attribute) @reference.read)
(class_pattern (dotted_name) @reference.read)
(case_pattern (dotted_name (identifier) . (identifier)) @reference.read)
(case_pattern (dotted_name . (identifier) @reference.use . (identifier)))
(call function: [(identifier) (attribute)] @owner.made arguments: (argument_list (keyword_argument name: (identifier) @reference.read)))
(primary_expression/identifier) @reference.use
(primary_expression/attribute) @reference.use

(typed_parameter . (identifier) @name type: (type) @type.annotation)
(typed_parameter . (list_splat_pattern "*" @rest (identifier) @name) type: (type) @type.annotation)
(typed_parameter . (dictionary_splat_pattern "**" @rest (identifier) @name) type: (type) @type.annotation)
(typed_default_parameter name: (identifier) @name type: (type) @type.annotation)
(parameters (default_parameter name: (identifier) @name value: [(identifier) (attribute)] @type.default))
(assignment left: (identifier) @name right: [
  (call function: [(identifier) (attribute)] @type.call)
  (await (_ . function: [(identifier) (attribute)] @type.call))
  (boolean_operator right: (_ . function: [(identifier) (attribute)] @type.call))
  (conditional_expression . (_ . function: [(identifier) (attribute)] @type.call))])
(assignment left: (identifier) @name right: [
  (identifier) @type.alias
  (attribute) @type.alias
  (conditional_expression . [(identifier) (attribute)] @type.alias)
  (conditional_expression [(identifier) (attribute) (call)] @type.alias .)])
(assignment left: (identifier) @name right: (subscript) @type.alias)
((assignment left: (identifier) @name right: (_ . function: (_)
  arguments: (_ . (string) (keyword_argument name: (identifier) @_bound value: [(identifier) (attribute) (string) (subscript) (binary_operator)] @type.limit))))
  (#eq? @_bound "bound"))
(for_statement left: (identifier) @name right: [(identifier) (attribute) (call) (subscript)] @type.each)
(for_in_clause left: (identifier) @name right: [(identifier) (attribute) (call) (subscript)] @type.each)
(assignment left: [(identifier) @name (attribute object: (identifier) @self attribute: (identifier) @field)] right: [
  (dictionary) (string) (concatenated_string)
  (dictionary_comprehension) (list_comprehension) (set_comprehension) (generator_expression)] @type.literal)
(assignment left: [(identifier) @name (attribute object: (identifier) @self attribute: (identifier) @field)] right: [(list) (set) (tuple)] @type.listed)
(for_statement left: (identifier) @name right: [(list) (set) (tuple)] @type.each_listed)
(for_in_clause left: (identifier) @name right: [(list) (set) (tuple)] @type.each_listed)
(assignment left: (attribute object: (identifier) @self attribute: (identifier) @field) type: (type) @type.annotation)
(assignment left: (attribute object: (identifier) @self attribute: (identifier) @field) right: [
  (call function: [(identifier) (attribute)] @type.call)
  (await (_ . function: [(identifier) (attribute)] @type.call))
  (boolean_operator right: (_ . function: [(identifier) (attribute)] @type.call))
  (conditional_expression . (_ . function: [(identifier) (attribute)] @type.call))])
(assignment left: (attribute object: (identifier) @self attribute: (identifier) @field) right: [
  (identifier) @type.alias
  (attribute) @type.alias
  (boolean_operator left: [(identifier) (attribute)] @type.alias)])
(assignment left: [(pattern_list) (tuple_pattern)] @type.pairs right: [(expression_list) (tuple)] @value)
(named_expression name: (identifier) @name value: (call function: [(identifier) (attribute)] @type.call))
(named_expression name: (identifier) @name value: [(identifier) (attribute)] @type.alias)
(with_item value: (as_pattern [
  (identifier) @type.entered
  (attribute) @type.entered
  (call) @type.entered
  (await [(identifier) (attribute) (call)] @type.entered)] alias: (as_pattern_target (identifier) @name)))
((for_statement left: (pattern_list . (_) . (identifier) @name .) right: (call function: [
  (attribute attribute: (identifier) @_pairs) (identifier) @_pairs]) @type.entry)
  (#any-of? @_pairs "items" "enumerate"))
((for_in_clause left: (pattern_list . (_) . (identifier) @name .) right: (call function: [
  (attribute attribute: (identifier) @_pairs) (identifier) @_pairs]) @type.entry)
  (#any-of? @_pairs "items" "enumerate"))
((if_statement condition: [(_ . function: (identifier) @_asked arguments: (_ . (identifier) @name . [(identifier) (attribute) (binary_operator)] @type.annotation)) (_ . left: (_ . function: (identifier) @_asked arguments: (_ . (identifier) @name . [(identifier) (attribute) (binary_operator)] @type.annotation)) operator: "and") (_ . left: (_) operator: "and" right: (_ . function: (identifier) @_asked arguments: (_ . (identifier) @name . [(identifier) (attribute) (binary_operator)] @type.annotation)))] consequence: (_) @within)
  (#eq? @_asked "isinstance"))
((elif_clause condition: [(_ . function: (identifier) @_asked arguments: (_ . (identifier) @name . [(identifier) (attribute) (binary_operator)] @type.annotation)) (_ . left: (_ . function: (identifier) @_asked arguments: (_ . (identifier) @name . [(identifier) (attribute) (binary_operator)] @type.annotation)) operator: "and") (_ . left: (_) operator: "and" right: (_ . function: (identifier) @_asked arguments: (_ . (identifier) @name . [(identifier) (attribute) (binary_operator)] @type.annotation)))] consequence: (_) @within)
  (#eq? @_asked "isinstance"))
((assert_statement . (_ . function: (identifier) @_asked arguments: (_ . (identifier) @name . [(identifier) (attribute) (binary_operator)] @type.annotation))) @behind (#eq? @_asked "isinstance"))
((if_statement
    condition: (_ . "not" argument: (_ . function: (identifier) @_asked arguments: (_ . (identifier) @name . [(identifier) (attribute) (binary_operator)] @type.annotation)))
    consequence: (block [(return_statement) (raise_statement) (continue_statement)] .)
    !alternative) @behind
  (#eq? @_asked "isinstance"))

(import_statement name: (dotted_name) @module) @import
(import_statement name: (aliased_import name: (dotted_name) @module alias: (identifier) @alias)) @import
(import_from_statement module_name: (_) @module name: (dotted_name) @imported) @import
(import_from_statement module_name: (_) @module name: (aliased_import name: (dotted_name) @imported alias: (identifier) @alias)) @import
(import_from_statement module_name: (_) @module (wildcard_import) @wildcard) @import

(return_statement [
  (call function: [(identifier) (attribute)] @type.call)
  (await (call function: [(identifier) (attribute)] @type.call))])
(return_statement [(identifier) (attribute)] @type.alias)
(class_definition body: (_ (assignment left: (identifier) @name right: (call function: [(identifier) (attribute)] @receiver
  arguments: (argument_list . [(identifier) (attribute) (string) (keyword_argument value: [(identifier) (attribute) (string)])] @type.held)))))
((case_clause (case_pattern (as_pattern (case_pattern (class_pattern . (dotted_name) @type.annotation)) (identifier) @name))) @within)
