(comment) @type.documented
(class_body (field_definition property: [(property_identifier) (private_property_identifier)] @name) @definition.field)
(class_body (field_definition property: [(property_identifier) (private_property_identifier)] @name value: [
  (arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method)
(field_definition property: [(property_identifier) (private_property_identifier)] @name value: (new_expression constructor: (_) @type.construct))
(field_definition property: [(property_identifier) (private_property_identifier)] @name value: (_ . function: [(identifier) (member_expression)] @type.call arguments: (_)))
(class_heritage [(identifier) (member_expression)] @supertype.extends)
(class_heritage (_ . function: (_) arguments: (arguments . [(identifier) (member_expression)] @supertype.extends)))
(formal_parameters (identifier) @local)
(formal_parameters (assignment_pattern left: (identifier) @local))

(arrow_function parameters: (formal_parameters [
  (identifier) @lambda.parameter
  (assignment_pattern left: (identifier) @lambda.parameter)
  (object_pattern [
    (shorthand_property_identifier_pattern) @lambda.parameter @key
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @lambda.parameter @key)
    (pair_pattern key: (property_identifier) @key value: [
      (identifier) @lambda.parameter
      (assignment_pattern left: (identifier) @lambda.parameter)])])] @item) @list) @function
(function_expression parameters: (formal_parameters [
  (identifier) @lambda.parameter
  (assignment_pattern left: (identifier) @lambda.parameter)
  (object_pattern [
    (shorthand_property_identifier_pattern) @lambda.parameter @key
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @lambda.parameter @key)
    (pair_pattern key: (property_identifier) @key value: [
      (identifier) @lambda.parameter
      (assignment_pattern left: (identifier) @lambda.parameter)])])] @item) @list) @function
