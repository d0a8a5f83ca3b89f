import { readFile } from 'node:fs/promises';
import { type Plugin, parseSync } from 'vite';

/** Methods of `z.string()` that the contract does not use, and that would keep a class each: it has `z.guid()`. */
const FORMATS =
  /^ {4}(jwt|emoji|uuid\w*|nanoid|cuid2?|ulid|base64(url)?|xid|ksuid|cidrv[46]|e164|time|duration)\(params\) \{[^}]*\},\n/gm;

/**
 * Removes from zod what no page uses, and every page would load: the JSON Schema conversion, the English messages,
 * most formats of strings, and the compiler, which the content policy forbids.
 */
export const slimSchemas: Plugin = {
  name: 'slim-schemas',
  apply: 'build',
  load: {
    filter: {
      id: /\/zod\/v4\/(core\/(json-schema-processors|to-json-schema)|locales\/en|classic\/schemas)\.js$/,
    },
    async handler(id) {
      if (id.endsWith('/en.js')) return 'export default () => ({});';
      const code = await readFile(id, 'utf8');
      if (id.endsWith('/schemas.js'))
        return code.replace(FORMATS, '').replace('core.$ZodObjectJIT', 'core.$ZodObject');
      const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(
        ([, name]) => name,
      );
      const gone = `const gone = () => () => { throw new Error('There is no JSON Schema here'); };`;
      const exported = names.map((name) => `export const ${name} = gone;`);
      return [gone, ...exported, 'export { gone as process };'].join('\n');
    },
  },
};

/** Properties that only the server reads: documentation, and the schema of a response, on which the browser relies. */
const SERVER_ONLY = ['meaning', 'output', 'summary'];
/** Properties of an endpoint that only the server reads, with the functions that make several of them. The browser checks no more than a body. */
const ENDPOINT_ONLY = ['description', 'errors', 'params', 'query', 'listOf', 'csvOf'];
/** Tables of English sentences, of which the browser reads only the keys. */
const SENTENCES = ['agentRefusals', 'findings'];
const SENTENCE = /(?<=:\s*)(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")/g;

interface Node {
  type: string;
  start: number;
  end: number;
  name?: string;
  id?: Node;
  init?: Node;
  key?: Node;
  argument?: Node;
  callee?: Node;
}

/** The name of a property, or of the function whose result is spread in its place. */
const nameOf = ({ key, argument }: Node) => key?.name ?? argument?.callee?.name ?? '';

function childrenOf(node: Node): Node[] {
  const children = Object.values(node)
    .flat()
    .filter((value): value is Node => typeof value?.type === 'string');
  return children.sort((a, b) => a.start - b.start);
}

const FUNCTION = /^(Arrow)?Function/;

/** Marks a value as made without side effects. Otherwise a declaration that nothing uses would stay. */
const pure = (value: string) => `/* @__PURE__ */ (() => (${value}))()`;

/** The code of a node, without the given properties. */
function slimmed(node: Node, code: string, dropped = SERVER_ONLY): string {
  const own = code.slice(node.start, node.end);
  if (FUNCTION.test(node.type)) return own;
  if (node.id?.name && SENTENCES.includes(node.id.name)) return own.replace(SENTENCE, "''");
  const isEndpoint = node.callee?.name === 'endpoint';
  const inner = isEndpoint ? [...SERVER_ONLY, ...ENDPOINT_ONLY] : SERVER_ONLY;
  let text = '';
  let { start } = node;
  for (const child of childrenOf(node)) {
    if (child.start < start) continue;
    text += code.slice(start, child.start);
    const isDropped = /^(Property|Spread)/.test(child.type) && dropped.includes(nameOf(child));
    const kept = isDropped ? '' : slimmed(child, code, inner);
    text += child === node.init && !FUNCTION.test(child.type) ? pure(kept) : kept;
    start = child.end + (isDropped && code[child.end] === ',' ? 1 : 0);
  }
  return text + code.slice(start, node.end);
}

/** Removes from the contract what only the server uses. */
export const slimContract: Plugin = {
  name: 'slim-contract',
  apply: 'build',
  enforce: 'pre',
  transform: {
    filter: { id: /\/packages\/contract\/src\// },
    handler: (code) => ({
      code: slimmed(parseSync('contract.ts', code).program as Node, code),
      map: null,
    }),
  },
};
