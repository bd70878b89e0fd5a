(class name: (_) @name body: (_)? @body) @definition.class
(module name: (_) @name body: (_)? @body) @definition.trait
(method name: (_) @name body: (_)? @body) @definition.method
(singleton_method name: (_) @name body: (_)? @body) @definition.method
(assignment left: (constant) @name) @definition.constant
(call receiver: (_)? @called method: (_) @called
  arguments: (argument_list . [(string) @name (simple_symbol) @name (pair key: (_) @name)])
  block: (_) @function) @definition.callback
((call method: (identifier) @_by arguments: (argument_list [(simple_symbol) (string)] @name)) @definition.property
  (#any-of? @_by "attr_accessor" "attr_reader" "attr_writer" "attribute" "delegate"))
((call method: (identifier) @_by arguments: (argument_list . (simple_symbol) @name)) @definition.method
  (#any-of? @_by "define_method" "alias_method" "scope"))
(alias name: (identifier) @name) @definition.method
(assignment left: (identifier) @name right: [(lambda body: (_) @body)]) @definition.function
(singleton_class body: (_) @static)
(do_block) @scope
(lambda) @scope
(block) @scope

(superclass [(constant) (scope_resolution)] @supertype.extends)
((call !receiver method: (identifier) @_by arguments: (argument_list [(constant) (scope_resolution)] @supertype.implements))
  (#any-of? @_by "include" "extend" "prepend"))
((_ name: (identifier) @_hook parameters: (method_parameters . (identifier) @_base) body: (body_statement
    (call receiver: (identifier) @_type method: (identifier) @_by arguments: (argument_list (simple_symbol)? [(constant) (scope_resolution)] @supertype.implements))))
  (#any-of? @_hook "included" "extended" "prepended" "inherited") (#eq? @_type @_base)
  (#any-of? @_by "include" "extend" "prepend" "send"))

(method_parameters [(identifier) @local (_ name: (identifier) @local)])
(block_parameters [(identifier) @local (_ name: (identifier) @local)])
(lambda_parameters [(identifier) @local (_ name: (identifier) @local)])
(assignment left: (identifier) @local)
(left_assignment_list (identifier) @local)
(destructured_left_assignment (identifier) @local)
(destructured_parameter (identifier) @local)
(rest_assignment (identifier) @local)
(operator_assignment left: (identifier) @local)
(keyword_pattern value: (identifier) @local)
(keyword_pattern key: (hash_key_symbol) @local !value)
(as_pattern name: (identifier) @local)
(array_pattern [(identifier) @local (splat_parameter name: (identifier) @local)])
(find_pattern [(identifier) @local (splat_parameter name: (identifier) @local)])
(hash_pattern (hash_splat_parameter name: (identifier) @local))
(in_clause pattern: (identifier) @local)
(exception_variable (identifier) @local)
(for pattern: (identifier) @local)

(identifier) @reference.call
(setter name: (identifier) @label)
(call receiver: (_) @receiver method: (_) @reference.call)
(call !receiver method: (_) @reference.call)
(super) @reference.call
(constant) @reference.read
(scope_resolution) @reference.read
(argument_list [(constant) (scope_resolution)] @reference.argument)
(pair value: [(constant) (scope_resolution)] @reference.table)
(array [(constant) (scope_resolution)] @reference.table)
(call !receiver arguments: (argument_list (simple_symbol) @reference.argument))
(_ receiver: (self) arguments: (argument_list (simple_symbol) @reference.argument))
(argument_list (self) (simple_symbol) @reference.argument)
(call receiver: (_) @owner method: (identifier) @_by arguments: (argument_list . (simple_symbol) @reference.argument)
  (#any-of? @_by "send" "public_send" "__send__" "method" "public_method" "instance_method" "respond_to?"))
(call receiver: (_) @owner.each arguments: (argument_list (block_argument (simple_symbol) @reference.argument)))
(call !receiver arguments: (argument_list (pair value: (simple_symbol) @reference.table)))
(hash (pair value: (simple_symbol) @reference.table))
(_ receiver: [(constant) (scope_resolution)] @reference.construct method: (identifier) @_new (#eq? @_new "new"))

(assignment left: (identifier) @name right: (_ . receiver: [(constant) (scope_resolution)] @type.construct method: (identifier) @_new (#eq? @_new "new")))
(assignment left: (identifier) @name right: (_ receiver: (_)? @receiver method: (identifier) @type.call (#not-eq? @type.call "new")))
(assignment left: (identifier) @name right: [(instance_variable) (identifier)] @type.alias)
(assignment left: (instance_variable) @field right: (_ . receiver: [(constant) (scope_resolution)] @type.construct method: (identifier) @_new (#eq? @_new "new")))
(assignment left: (instance_variable) @field right: (_ receiver: (_)? @receiver method: (identifier) @type.call (#not-eq? @type.call "new")))
(assignment left: (instance_variable) @field right: (identifier) @type.alias)
(assignment left: [(identifier) (constant)] @name right: [
  (array) (hash) (string) (regex) (string_array) (symbol_array) (integer) (float) (simple_symbol) (range)] @type.literal)
(assignment left: (constant) @name right: (_
  . receiver: [(array) (hash) (string) (regex) (string_array) (symbol_array)] method: (identifier) @_kept) @type.literal (#eq? @_kept "freeze"))
(_ left: [(instance_variable) @field (identifier) @name] right: [
  (_ consequence: (then (_ receiver: (_)? @receiver method: (identifier) @type.call) .))
  (_ alternative: (else (_ receiver: (_)? @receiver method: (identifier) @type.call) .))
  (case (_ body: (then (_ receiver: (_)? @receiver method: (identifier) @type.call) .)))
  (case (else (_ receiver: (_)? @receiver method: (identifier) @type.call) .))
  (_ consequence: (_ receiver: (_)? @receiver method: (identifier) @type.call))
  (_ alternative: (_ receiver: (_)? @receiver method: (identifier) @type.call))])
(operator_assignment left: (instance_variable) @field right: (_ . receiver: [(constant) (scope_resolution)] @type.construct method: (identifier) @_new (#eq? @_new "new")))
(operator_assignment left: (instance_variable) @field right: (_ receiver: (_)? @receiver method: (identifier) @type.call (#not-eq? @type.call "new")))

(_ "def" body: (call receiver: (_)? @receiver method: (identifier) @type.call))
(_ "def" body: (body_statement (call receiver: (_)? @receiver method: (identifier) @type.call) .))
(_ "def" body: (body_statement (call receiver: (_)? @receiver method: (identifier) @type.call) . (comment)+ .))
(_ name: (_) body: [
  (identifier) @type.alias
  (instance_variable) @type.alias
  (self) @type.alias
  (body_statement [(identifier) (instance_variable) (self)] @type.alias . (comment)* .)
  (body_statement (operator_assignment left: (instance_variable) @type.alias) . (comment)* .)])
(body_statement (operator_assignment left: (instance_variable) @type.alias right: [(if) (case) (conditional)]) .)
(body_statement [
  (_ consequence: (then (_ receiver: (_)? @receiver method: (identifier) @type.call) .))
  (_ alternative: (else (_ receiver: (_)? @receiver method: (identifier) @type.call) .))
  (_ alternative: (_ consequence: (then (_ receiver: (_)? @receiver method: (identifier) @type.call) .)))
  (_ alternative: (_ alternative: (else (_ receiver: (_)? @receiver method: (identifier) @type.call) .)))
  (case (_ body: (then (_ receiver: (_)? @receiver method: (identifier) @type.call) .)))
  (case (else (_ receiver: (_)? @receiver method: (identifier) @type.call) .))
  (_ consequence: (_ receiver: (_)? @receiver method: (identifier) @type.call))
  (_ alternative: (_ receiver: (_)? @receiver method: (identifier) @type.call))] .)
(body_statement [
  (_ consequence: (then [(identifier) (instance_variable) (self)] @type.alias .))
  (_ alternative: (else [(identifier) (instance_variable) (self)] @type.alias .))
  (_ alternative: (_ consequence: (then [(identifier) (instance_variable) (self)] @type.alias .)))
  (_ alternative: (_ alternative: (else [(identifier) (instance_variable) (self)] @type.alias .)))
  (case (_ body: (then [(identifier) (instance_variable) (self)] @type.alias .)))
  (case (else [(identifier) (instance_variable) (self)] @type.alias .))
  (_ consequence: [(identifier) (instance_variable) (self)] @type.alias)
  (_ alternative: [(identifier) (instance_variable) (self)] @type.alias)] .)
(return (argument_list . (_ receiver: (_)? @receiver method: (identifier) @type.call) .))
(return (argument_list . [(identifier) (instance_variable) (self)] @type.alias .))

((call !receiver method: (identifier) @_require arguments: (argument_list . (string (string_content) @module))) @import
  (#any-of? @_require "require" "load" "autoload"))
((call !receiver method: (identifier) @_require arguments: (argument_list . (string (string_content) @module) @relative)) @import
  (#eq? @_require "require_relative"))
