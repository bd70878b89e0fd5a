(package_clause name: (_) @package body: (_) @body)
(package_clause name: (_) @package.within !body)

(class_definition name: (identifier) @name body: (_)? @body) @definition.class
(object_definition name: (identifier) @name body: (_)? @body) @definition.class
(package_object name: (identifier) @name body: (_)? @body) @definition.class
(trait_definition name: (identifier) @name body: (_)? @body) @definition.trait
(enum_definition name: (identifier) @name body: (_) @body) @definition.enum
(simple_enum_case name: (identifier) @name) @definition.constant
(full_enum_case name: (identifier) @name) @definition.constant
(function_definition name: (_) @name return_type: (_)? @returns body: (_) @body) @definition.function
(function_declaration name: (_) @name return_type: (_)? @returns) @definition.function
(val_definition pattern: (identifier) @name type: (_)? @returns) @definition.variable
(var_definition pattern: (identifier) @name type: (_)? @returns) @definition.variable
(val_declaration name: (identifier) @name type: (_) @returns) @definition.variable
(var_declaration name: (identifier) @name type: (_) @returns) @definition.variable
(class_definition (class_parameters (class_parameter name: (identifier) @name type: (_) @returns) @definition.field))
(extension_definition parameters: (parameters . (parameter type: (_) @owner))) @region
(given_definition name: (identifier) @name return_type: (_) @returns) @definition.variable
(given_definition name: (identifier) @name body: (with_template_body) @body) @definition.class
(given_definition !name return_type: (_) @name body: (with_template_body) @body) @definition.class
(type_definition name: (type_identifier) @name) @definition.type
(type_definition name: (type_identifier) @name type: (_) @returns) @definition.type
(lambda_expression) @scope
(lambda_expression parameters: (identifier) @lambda.parameter @list) @function
(lambda_expression parameters: (bindings (binding name: (identifier) @lambda.parameter !type) @item) @list) @function
(field_expression value: (wildcard) @lambda.placeholder)
(call_expression
  function: (call_expression function: [(identifier) (field_expression)] @called arguments: (arguments . (string) @name))
  arguments: [
    (block) @function
    (arguments . (lambda_expression) @function .)
    (arguments . (call_expression arguments: [(block) @function (arguments . (lambda_expression) @function .)]) .)]) @definition.callback
(call_expression function: [(identifier) (field_expression)] @called
  arguments: (arguments . (string) @name (lambda_expression) @function .)) @definition.callback
(case_clause) @scope
(for_expression) @scope
(instance_expression . (_) @expected (template_body (function_definition name: (_) @name) @lambda.member))
(instance_expression (template_body (function_definition name: (_) @name body: (_) @body) @definition.method))

([(class_definition (extends_clause . type: (_) @supertype.extends)) (object_definition (extends_clause . type: (_) @supertype.extends)) (trait_definition (extends_clause . type: (_) @supertype.extends)) (enum_definition (extends_clause . type: (_) @supertype.extends)) (package_object (extends_clause . type: (_) @supertype.extends))])
(given_definition return_type: (_) @supertype.implements body: (with_template_body))
([(class_definition (extends_clause "with" . (_) @supertype.implements)) (object_definition (extends_clause "with" . (_) @supertype.implements)) (trait_definition (extends_clause "with" . (_) @supertype.implements)) (enum_definition (extends_clause "with" . (_) @supertype.implements)) (package_object (extends_clause "with" . (_) @supertype.implements))])
(self_type (identifier) (_) @supertype.requires)

(parameter name: (identifier) @local)
((self_type . (identifier) @local) (#not-eq? @local "this"))
(lambda_expression parameters: (identifier) @local)
(binding name: (identifier) @local)
((case_clause pattern: (identifier) @local) (#match? @local "^[a-z_]"))
(enumerator . (identifier) @local)
((tuple_pattern (identifier) @local) (#match? @local "^[a-z_]"))
((case_class_pattern (identifier) @local) (#match? @local "^[a-z_]"))
((infix_pattern [left: (identifier) right: (identifier)] @local) (#match? @local "^[a-z_]"))
(typed_pattern pattern: (identifier) @local)
(capture_pattern name: (identifier) @local)
((named_pattern (_) . (identifier) @local) (#match? @local "^[a-z_]"))
(type_parameters name: (identifier) @local.type)
(type_parameters name: (identifier) @name . bound: (upper_bound type: (_) @type.bound))

(identifier) @reference.read
(arguments (assignment_expression left: (identifier) @label))
(field_expression) @reference.read
(call_expression function: [(identifier) (field_expression)] @reference.call arguments: (_) @arguments)
(call_expression function: (generic_function function: [(identifier) (field_expression)] @reference.call) arguments: (_) @arguments)
(infix_expression operator: (identifier) @reference.call)
(infix_expression left: [(identifier) (field_expression) (call_expression)] @owner operator: (identifier) @reference.call)
(instance_expression . [(type_identifier) (stable_type_identifier)] @reference.construct arguments: (_)? @arguments)
(instance_expression . (generic_type type: (_) @reference.construct) arguments: (_)? @arguments)
(arguments [(identifier) (field_expression)] @reference.argument)
(annotation name: (_) @reference.decorator)
(stable_identifier) @reference.read
(type_identifier) @reference.type

(self_type . (identifier) @name @type.own)
(parameter name: (identifier) @name type: (_) @type.annotation)
(function_definition body: (instance_expression . (_) @type.construct))
(function_definition body: (call_expression function: [(identifier) (field_expression)] @type.call))
(function_definition body: [(identifier) (field_expression)] @type.alias)
(val_definition pattern: (identifier) @name value: (instance_expression . (_) @type.construct))
(var_definition pattern: (identifier) @name value: (instance_expression . (_) @type.construct))
(val_definition pattern: (identifier) @name value: (call_expression function: [(identifier) (field_expression)] @type.call))
(var_definition pattern: (identifier) @name value: (call_expression function: [(identifier) (field_expression)] @type.call))
(val_definition pattern: (identifier) @name value: [(identifier) (field_expression)] @type.alias)
(typed_pattern pattern: (identifier) @name type: (_) @type.annotation)
(binding name: (identifier) @name type: (_) @type.annotation)
(enumerator . (identifier) @name "<-" [(identifier) (field_expression) (call_expression)] @type.each)

(import_declaration) @import @tree
