// Notes the calls that a JavaScript program makes within one folder, in functions that its text
// declares. Needs Node 20.6 or later, and the npm package acorn.
//
//   CALLS_ROOT=REPO CALLS_OUT=calls.tsv NODE_OPTIONS="--require ./calls.js" npm test
//
// A line for each: the caller's file and line, the function's name, its file and line, and what is
// made, if that is what it does. Lines are added to what CALLS_OUT has.
'use strict';

const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');
const { isMainThread } = require('node:worker_threads');
const acorn = require('acorn');

const root = fs.realpathSync(process.env.CALLS_ROOT) + path.sep;
const seen = new Set();

const isOurs = (file) =>
  file.startsWith(root) && !file.includes(`${path.sep}node_modules${path.sep}`);

/** The name that a key or the target of an assignment gives to a function. */
const nameIn = (node) => {
  if (!node || node.computed) return '';
  if (node.type === 'MemberExpression') return nameIn(node.property);
  return node.name ?? (typeof node.value === 'string' ? node.value : '');
};

/** The text with a note at the beginning of every function, on the line where it begins. */
function noted(text, file) {
  const options = { ecmaVersion: 'latest', locations: true, allowHashBang: true };
  let tree;
  try {
    tree = acorn.parse(text, { ...options, sourceType: 'module' });
  } catch {
    try {
      tree = acorn.parse(text, { ...options, sourceType: 'script', allowReturnOutsideFunction: true });
    } catch {
      return text;
    }
  }
  const added = [];
  const visit = (node, name, made) => {
    if (/Function/.test(node.type)) {
      const note = `globalThis.__called?.(${[file, node.loc.start.line, nameIn(node.id) || name, made].map((each) => JSON.stringify(each))})`;
      const { body } = node;
      if (body.type === 'BlockStatement') {
        const directives = body.body.filter((each) => each.directive !== undefined);
        added.push([directives.at(-1)?.end ?? body.start + 1, `;${note};`]);
      } else {
        added.push([body.start, `(${note},`], [body.end, ')']);
      }
    }
    for (const [field, child] of Object.entries(node)) {
      for (const each of Array.isArray(child) ? child : [child]) {
        if (!each || typeof each.type !== 'string') continue;
        const owner = node.kind === 'constructor' && field === 'value' ? made : '';
        if (node.type === 'ClassDeclaration' || node.type === 'ClassExpression') {
          visit(each, '', nameIn(node.id) || name);
        } else if (node.type === 'ClassBody') {
          visit(each, '', made);
        } else {
          visit(each, nameIn(node.key ?? node.left ?? node.id), owner);
        }
      }
    }
  };
  visit(tree, '', '');
  added.sort((one, other) => other[0] - one[0]);
  return added.reduce((so, [at, what]) => so.slice(0, at) + what + so.slice(at), text);
}

/** Take a call, of which the caller stands second on the stack. */
function called(file, line, name, made) {
  const { prepareStackTrace, stackTraceLimit } = Error;
  const holder = {};
  Error.stackTraceLimit = 2;
  Error.prepareStackTrace = (_, frames) => frames;
  Error.captureStackTrace(holder, called);
  const caller = holder.stack[1];
  Error.prepareStackTrace = prepareStackTrace;
  Error.stackTraceLimit = stackTraceLimit;
  const from = caller?.getFileName()?.replace(/^file:.*/, (url) => fileURLToPath(url));
  if (from && isOurs(from)) {
    seen.add([from.slice(root.length), caller.getLineNumber(), name, file, line, made].join('\t'));
  }
}

exports.load = async (url, context, next) => {
  const loaded = await next(url, context);
  const file = url.startsWith('file:') ? fileURLToPath(url) : '';
  if (loaded.format === 'module' && isOurs(file)) {
    loaded.source = noted(String(loaded.source), file.slice(root.length));
  }
  return loaded;
};

if (isMainThread) {
  globalThis.__called = called;
  const compile = Module.prototype._compile;
  Module.prototype._compile = function (text, file, ...rest) {
    return compile.call(this, isOurs(file) ? noted(text, file.slice(root.length)) : text, file, ...rest);
  };
  Module.register(pathToFileURL(__filename));
  process.on('exit', () => {
    if (seen.size) fs.appendFileSync(process.env.CALLS_OUT, `${[...seen].join('\n')}\n`);
  });
}
