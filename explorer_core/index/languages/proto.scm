(package (full_ident) @package)

(message (message_name (identifier) @name) (message_body) @body) @definition.struct
(enum (enum_name (identifier) @name) (enum_body) @body) @definition.enum
(service (service_name (identifier) @name) "{" @body) @definition.interface
(rpc (rpc_name (identifier) @name)) @definition.method
(enum_field . (identifier) @name) @definition.constant
(field (type) . (identifier) @name) @definition.field
(map_field (type) . (identifier) @name) @definition.field
(oneof_field (type) . (identifier) @name) @definition.field
(extend (full_ident) @owner) @region

(message_or_enum_type) @reference.type

(import path: (string) @module) @import
