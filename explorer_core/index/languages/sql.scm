(create_table (object_reference name: (identifier) @name) (column_definitions) @body) @definition.struct
(column_definition name: (identifier) @name type: (_) @returns) @definition.field
(create_view (object_reference name: (identifier) @name) (create_query) @body) @definition.struct
(create_materialized_view (object_reference name: (identifier) @name)) @definition.struct
(create_function (object_reference name: (identifier) @name) (function_body) @body) @definition.function
(create_index column: (identifier) @name) @definition.constant
(create_type (object_reference name: (identifier) @name)) @definition.type
(relation (object_reference name: (identifier) @reference.read))
(from (object_reference name: (identifier) @reference.read))
(column_definition (object_reference name: (identifier) @reference.type))
(invocation (object_reference name: (identifier) @reference.call))
(insert (object_reference name: (identifier) @reference.read))
