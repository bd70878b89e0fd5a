(object_type_definition (name) @name (fields_definition)? @body) @definition.class
(interface_type_definition (name) @name (fields_definition)? @body) @definition.interface
(input_object_type_definition (name) @name (input_fields_definition)? @body) @definition.struct
(enum_type_definition (name) @name (enum_values_definition)? @body) @definition.enum
(union_type_definition (name) @name) @definition.type
(scalar_type_definition (name) @name) @definition.type
(directive_definition (name) @name) @definition.function
(enum_value_definition (enum_value (name) @name)) @definition.constant
(field_definition (name) @name) @definition.field
(input_fields_definition (input_value_definition (name) @name) @definition.field)
(object_type_extension (name) @owner) @region
(interface_type_extension (name) @owner) @region
(operation_definition (name) @name (selection_set) @body) @definition.function
(fragment_definition (fragment_name (name) @name) (selection_set) @body) @definition.function

(implements_interfaces (named_type (name) @supertype.implements))

(named_type (name) @reference.type)
(fragment_spread (fragment_name (name) @reference.call))
(directive (name) @reference.decorator)
