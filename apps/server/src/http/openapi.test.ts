import { beforeAll, describe, expect, test } from 'vitest';
import { startTestPanel, type TestPanel } from '../testing/panel.ts';
import { endpoints } from '../testing/wire/endpoints.ts';
import { fieldTexts, mailTexts } from './field-texts.ts';

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}
interface Content {
  schema: Schema;
  example?: unknown;
}
interface Operation {
  operationId: string;
  summary: string;
  parameters?: { name: string; description?: string; example?: unknown; required?: boolean }[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { description: string; content: Record<string, Content> }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

let panel: TestPanel;
let document: Document;
beforeAll(async () => {
  panel = await startTestPanel();
  document = (await panel.anonymous().get('/api/openapi.json')).body;
});

const operations = () => Object.values(document.paths).flatMap((path) => Object.values(path));

function operationOf(name: string): Operation {
  const found = operations().find(({ operationId }) => operationId === name);
  if (!found) throw new Error(`${name} is not in the document`);
  return found;
}

/** Every schema within a schema, with the names that lead to it. */
function partsOf(schema: Schema, path: string): [path: string, schema: Schema][] {
  const {
    properties = {},
    items,
    additionalProperties,
    anyOf = [],
    oneOf = [],
    allOf = [],
  } = schema;
  const within = [...anyOf, ...oneOf, ...allOf, ...(items ? [items] : [])];
  if (typeof additionalProperties === 'object') within.push(additionalProperties);
  return [
    [path, schema],
    ...Object.entries(properties).flatMap(([name, part]) => partsOf(part, `${path}.${name}`)),
    ...within.flatMap((part) => partsOf(part, path)),
  ];
}

/** All schemas of bodies, replies and components. */
function allSchemas(): [path: string, schema: Schema][] {
  const ofCalls = operations().flatMap(({ operationId, requestBody, responses }) => [
    ...Object.values(requestBody?.content ?? {}).map(
      ({ schema }) => [operationId, schema] as const,
    ),
    ...Object.entries(responses).flatMap(([status, { content }]) =>
      Object.values(content).map(({ schema }) => [`${operationId} ${status}`, schema] as const),
    ),
  ]);
  return [...ofCalls, ...Object.entries(document.components.schemas)].flatMap(([path, schema]) =>
    partsOf(schema, path),
  );
}

const contentOf = (contents: Record<string, Content>) => Object.values(contents)[0];

/** Words that say nothing about a field by themselves. */
const FILLERS =
  /\b(?:an?|the|of|its?|to|for|by|in|on|with|is|are|was|were|has|have|been|be|it|they|them|there|that|this|who|what|when|how|many|much|true|false|if|your|own)\b/g;
const wordsIn = (text: string) => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];

/** True if the text has only words of the field's name, such as `account_id`: 'The account'. */
function repeatsName(field: string, text: string): boolean {
  const ofName = wordsIn(field.replaceAll('_', ' ')).map((word) => word.slice(0, 5));
  return wordsIn(text.toLowerCase().replace(FILLERS, '')).every((word) =>
    ofName.some((beginning) => word.startsWith(beginning)),
  );
}

/** Verbs that descriptions of calls begin with. */
const verbs =
  'Adds Allows Applies Asks Calculates Calls Cancels Changes Checks Compares Confirms Counts Creates Debits Declines Deletes Delivers Downloads Emails Ends Finds Has Issues Lists Makes Marks Moves Opens Proposes Queues Records Removes Retries Returns Revokes Searches Sends Sets Starts Stops Stores Takes Tests Turns Uploads Uses Verifies Withdraws';

describe('the OpenAPI document', () => {
  test('has every call', () => {
    expect(operations().map(({ operationId }) => operationId)).toEqual(
      expect.arrayContaining(endpoints.map(({ name }) => name)),
    );
  });

  test('names the values of a filter that takes several', () => {
    const { parameters = [] } = operationOf('listLines');
    const status = parameters.find(({ name }) => name === 'status');
    expect(status?.description).toMatch(/, of `active`, `expired`, /);
  });

  test('says of fields and parameters that there are what their names do not', () => {
    const places = new Set([
      ...Object.keys(document.components.schemas),
      ...operations().map(({ operationId }) => operationId),
    ]);
    const fields = new Set([
      ...allSchemas().flatMap(([, { properties = {} }]) => Object.keys(properties)),
      ...operations().flatMap(({ parameters = [] }) => parameters.map(({ name }) => name)),
    ]);
    const texts = Object.entries({ ...fieldTexts, ...mailTexts }).map(([key, text]) => {
      const [field = '', place] = key.split('.').toReversed();
      return { key, text, field, place };
    });
    const isGone = ({ field, place }: (typeof texts)[number]) =>
      !fields.has(field) || (place !== undefined && !places.has(place));
    expect(texts.filter(isGone)).toEqual([]);
    // A text for one schema or call may repeat the name of its field, because it replaces a text that would be wrong
    // there.
    const repeating = texts.filter(({ field, text, place }) => !place && repeatsName(field, text));
    expect(repeating.map(({ key, text }) => [key, text])).toEqual([]);
  });

  test('gives every choice a type, so that generators know what to make of it', () => {
    const untyped = allSchemas().flatMap(([path, { anyOf = [], oneOf = [] }]) =>
      [...anyOf, ...oneOf]
        .filter(
          ({ $ref, type, anyOf: a, oneOf: b, allOf: c }) =>
            !$ref && type === undefined && !a && !b && !c,
        )
        .map(() => path),
    );
    expect([...new Set(untyped)]).toEqual([]);
  });

  test.each(endpoints)('$name is described by a sentence with a verb', ({ description = '' }) => {
    const [first = ''] = description.split(' ');
    expect(verbs.split(' '), first).toContain(first);
    expect(description).toMatch(/[.]$/);
  });

  test('calls a response a response, and a line online', () => {
    const texts = [
      ...endpoints.map(({ name, summary, description }) => [name, `${summary}. ${description}`]),
      ...Object.entries(fieldTexts),
    ];
    const avoided =
      /\banswer|\bthe reply (?:is|has|says)|\bin (?:the|this|its) reply\b|\blines? that (?:is|are|was|were) on(?:[.,;]|$)|\bwho is on\b/;
    expect(texts.filter(([, text = '']) => avoided.test(text))).toEqual([]);
  });

  test.each(endpoints)('$name has examples and its refusals', (endpoint) => {
    const { parameters = [], requestBody, responses } = operationOf(endpoint.name);
    if (endpoint.body) expect(contentOf(requestBody?.content ?? {})?.example).toBeDefined();
    for (const { name, required, example } of parameters) {
      if (required) expect(example, name).toBeDefined();
    }
    const reply = contentOf(responses[endpoint.status ?? 200]?.content ?? {});
    const isFile = endpoint.contentType === 'application/octet-stream';
    expect(reply?.example === undefined).toBe(isFile);
    const said = Object.values(responses).map(({ description }) => description);
    const { errors = [], notFoundCode } = endpoint;
    const codes = notFoundCode ? [notFoundCode, ...errors] : errors;
    for (const code of codes) expect(said.join('\n')).toContain(`\`${code}\``);
    if (endpoint.access !== 'public') expect(responses[401]).toBeDefined();
    if (endpoint.needsIdempotencyKey) expect(responses[428]).toBeDefined();
  });
});
