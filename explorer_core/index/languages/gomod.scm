(module_directive "module" @name (module_path) @returns) @definition.section
(require_spec (module_path) @name) @definition.section
