(data_type name: (name) @name) @definition.struct
(newtype name: (name) @name) @definition.struct
(type_synomym name: (name) @name) @definition.type
(class name: (name) @name declarations: (_)? @body) @definition.interface
(instance name: (name) @owner) @region

; Constructors, fields and methods of classes are names of the module.
(data_constructor (_ name: (constructor) @name)) @definition.constant @file
(newtype_constructor name: (constructor) @name) @definition.constant @file
(field name: (field_name (variable) @name)) @definition.field @file
(class_declarations (signature name: (variable) @name) @definition.function @file)
; A type signature precedes its definition.
(_ (signature name: (variable)) @extent . (comment)* . (function name: (variable) @name))
(declarations (signature name: (variable)) @extent . (comment)* . (bind name: (variable) @name))
(signature name: (variable) @label)
(function name: (variable) @name match: (match) @body) @definition.function
(declarations (bind name: (variable) @name match: (match) @body) @definition.function)

(patterns [(variable) @local
  (_ [(variable) @local (_ [(variable) @local (_ (variable) @local)])])])
(local_binds (bind name: (variable) @local))
(bind pattern: [(variable) @local (_ [(variable) @local (_ (variable) @local)])])
(alternative pattern: [(variable) @local (_ [(variable) @local (_ [(variable) @local (_ (variable) @local)])])])
(generator pattern: (variable) @local)
(lambda) @scope

(variable) @reference.read
(constructor) @reference.construct
(name) @reference.type
(qualified) @reference.read
(apply function: [(variable) (qualified)] @reference.call)
(apply argument: [(variable) (qualified)] @reference.argument)
(list element: [(variable) (qualified)] @reference.table)
(field_update field: (field_name (variable) @reference.read))

(import !names module: (module) @module @wildcard) @import
(import module: (module) @module @wildcard "hiding") @import
(import module: (module) @module alias: (module) @alias) @import
(import module: (module) @module names: (import_list name: (import_name variable: (_) @imported))) @import
(import module: (module) @module names: (import_list name: (import_name type: (_) @imported))) @import
