(comment) @type.documented
(class_body (field_definition property: [(property_identifier) (private_property_identifier)] @name) @definition.field)
(class_body (field_definition property: [(property_identifier) (private_property_identifier)] @name value: [
  (arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method)
(field_definition property: [(property_identifier) (private_property_identifier)] @name value: (new_expression constructor: (_) @type.construct))
(field_definition property: [(property_identifier) (private_property_identifier)] @name value: (call_expression function: [(identifier) (member_expression)] @type.call))
(class_heritage [(identifier) (member_expression)] @supertype.extends)
(class_heritage (call_expression function: (_) arguments: (arguments . [(identifier) (member_expression)] @supertype.extends)))
(formal_parameters (identifier) @local)
(formal_parameters (assignment_pattern left: (identifier) @local))
