// Checks (or, with --write, fixes) Lua formatting with stylua's WebAssembly build: node .ci/stylua.cjs [--write] MODULES FILES...
const fs = require("fs");
const args = process.argv.slice(2);
const write = args[0] === "--write" && args.shift();
const stylua = require(require.resolve("@johnnymorganz/stylua", { paths: [args.shift()] }));
let bad = 0;
for (const file of args) {
  const text = fs.readFileSync(file, "utf8");
  const config = stylua.Config.new();
  config.column_width = 100;
  config.indent_type = stylua.IndentType.Spaces;
  config.indent_width = 2;
  const made = stylua.formatCode(text, config, undefined, stylua.OutputVerification.None);
  if (made === text) continue;
  if (write) fs.writeFileSync(file, made);
  else console.error(`${file} is not formatted`), (bad += 1);
}
process.exit(bad ? 1 : 0);
