import { readFileSync } from 'node:fs';
import { type Endpoint, isMutation, refusalsOf } from '@linekeeper/contract/endpoint.ts';
import { type ErrorCode, errorStatus, errors } from '@linekeeper/contract/errors.ts';
import * as z from 'zod';
import { fieldTexts, mailTexts } from './field-texts.ts';

interface Parameter {
  name: string;
  in: string;
  description?: string;
  required?: boolean;
  schema?: object;
  example?: unknown;
}

interface Content {
  schema?: object;
  example?: unknown;
}

interface Operation {
  operationId?: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, Content> };
  security?: unknown[];
  responses?: Record<string, { description?: string; content?: Record<string, Content> }>;
}

interface Document {
  paths?: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, object> };
}

/** Request and reply of a call, recorded from a panel. */
interface Example {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  reply?: unknown;
}

const examplesFile = new URL('../../../../packages/contract/examples.json', import.meta.url);

/** The schema of a file in OpenAPI. Version 3.1 uses the media type; generators use the format of 3.0. */
const aFile = { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' };

const formWithFile = {
  type: 'object',
  required: ['file'],
  properties: { file: aFile },
  additionalProperties: false,
};
const fileBody = { required: true, content: { 'multipart/form-data': { schema: formWithFile } } };

/** Adds facts that schemas do not contain: the Idempotency-Key, public endpoints, and database errors. */
export function completeDocument(document: object, endpoints: readonly Endpoint[]): object {
  const { paths = {}, components = {} } = document as Document;
  const examples: Record<string, Example> = JSON.parse(readFileSync(examplesFile, 'utf8'));
  const byName = new Map(endpoints.map((endpoint) => [endpoint.name, endpoint]));
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
    const endpoint = byName.get(operation.operationId ?? '');
    if (endpoint) completeOperation(operation, endpoint, examples[endpoint.name] ?? {});
  }
  for (const [name, schema] of Object.entries(components.schemas ?? {})) {
    describeFields(schema, name);
  }
  dropUnusedSchemas(document);
  return document;
}

function completeOperation(operation: Operation, endpoint: Endpoint, example: Example): void {
  if (endpoint.access === 'public') operation.security = [];
  else if (endpoint.needsSession) operation.security = [{ session: [] }];
  const { '4XX': _, '5XX': __, ...replies } = operation.responses ?? {};
  operation.responses = { ...replies, ...refusalsByStatus(endpoint), default: anyError };
  if (endpoint.contentType) {
    const schema = endpoint.contentType === 'text/csv' ? { type: 'string' } : aFile;
    // Only successes have the endpoint's content type; errors are always JSON.
    for (const reply of successesOf(operation))
      reply.content = { [endpoint.contentType]: { schema } };
  }
  if (endpoint.takesFile) operation.requestBody = structuredClone(fileBody);
  else if (isMutation(endpoint) && endpoint.access !== 'public') {
    operation.parameters = [...(operation.parameters ?? []), idempotencyKey(endpoint)];
  }
  describeOperation(operation, endpoint, example);
}

function idempotencyKey({ needsIdempotencyKey = false }: Endpoint): Parameter {
  return {
    name: 'Idempotency-Key',
    in: 'header',
    required: needsIdempotencyKey,
    description: 'Any text, one for each change that you intend. Sent again, it takes effect once',
    schema: { type: 'string', maxLength: 255 },
    example: 'order-4711',
  };
}

/** The text about filters that accept several values. */
const SEVERAL = 'One value or several, separated by commas';

function describeOperation(
  operation: Operation,
  { name, query }: Endpoint,
  example: Example,
): void {
  for (const parameter of operation.parameters ?? []) {
    const text = textOf(name, parameter.name);
    parameter.description ??= text;
    if (text && parameter.description === SEVERAL) parameter.description = `${text}. ${SEVERAL}`;
    const choices = choicesOf(query?.shape[parameter.name]);
    if (parameter.in === 'query' && choices.length > 0) {
      const named = choices.map((choice) => `\`${choice}\``).join(', ');
      parameter.description = `${text ? `${text}. ` : ''}${SEVERAL}, of ${named}`;
    }
    const value = { ...example.params, ...example.query }[parameter.name];
    if (value !== undefined) parameter.example = valueFor(parameter, value);
  }
  for (const content of Object.values(operation.requestBody?.content ?? {})) {
    if (content.schema) describeFields(content.schema, name);
    if (example.body !== undefined) content.example = example.body;
  }
  for (const response of successesOf(operation)) {
    response.description = 'Success';
    for (const reply of Object.values(response.content ?? {})) {
      if (reply.schema) describeFields(reply.schema, name);
      if (example.reply !== undefined) reply.example = example.reply;
    }
  }
}

const successesOf = ({ responses = {} }: Operation) =>
  Object.keys(responses).flatMap((status) => (status.startsWith('2') && responses[status]) || []);

/** The possible values of a filter that accepts several, whose schema in a query is a plain text. */
function choicesOf(schema: unknown): readonly string[] {
  if (!(schema instanceof z.ZodType)) return [];
  const { enum: choices } = schema.meta() ?? {};
  if (Array.isArray(choices)) return choices;
  const inner = schema._zod.def as unknown as Record<string, unknown>;
  const found = [inner.element, inner.innerType, inner.out, inner.in].map(choicesOf);
  return found.find(({ length }) => length > 0) ?? [];
}

/** A value for an example. In a query, numbers are written as text. */
function valueFor({ schema }: Parameter, value: string): unknown {
  return (schema as { type?: string }).type === 'integer' ? Number(value) : value;
}

const errorContent = {
  'application/json': { schema: { $ref: '#/components/schemas/Error' } },
};

const anyError = {
  description: 'Any other error. The guide above says what its status means.',
  content: errorContent,
};

/** Every code with which the call is known to refuse, and its sentence, by status. */
function refusalsByStatus(endpoint: Endpoint): Record<string, object> {
  const byStatus = Map.groupBy(codesOf(endpoint), (code) => String(errorStatus(code)));
  const replies = [...byStatus].map(([status, codes]) => {
    const description = codes.map((code) => `\`${code}\`: ${errors[code][1]}`).join('\n\n');
    return [status, { description, content: errorContent }];
  });
  return Object.fromEntries(replies);
}

function codesOf(endpoint: Endpoint): ErrorCode[] {
  const { signedOut, forbidden, databaseAway } = refusalsOf(endpoint);
  const isClosed = endpoint.access !== 'public';
  const codes: (ErrorCode | false | undefined)[] = [
    isClosed && signedOut,
    isClosed && 'INVALID_API_KEY',
    isClosed && endpoint.access !== 'account' && forbidden,
    endpoint.needsSession && 'SESSION_REQUIRED',
    endpoint.needsIdempotencyKey && 'IDEMPOTENCY_KEY_REQUIRED',
    endpoint.missingFieldsCode,
    Boolean(endpoint.body ?? endpoint.query) && 'VALIDATION_FAILED',
    endpoint.notFoundCode,
    endpoint.query && 'cursor' in endpoint.query.shape && 'INVALID_CURSOR',
    ...(endpoint.errors ?? []),
    databaseAway,
  ];
  return [...new Set(codes.filter((code) => code !== false && code !== undefined))];
}

/** Removes named schemas without references: each is generated for input and for output. */
function dropUnusedSchemas(document: Document): void {
  const schemas = document.components?.schemas ?? {};
  for (;;) {
    const text = JSON.stringify(document);
    const unused = Object.keys(schemas).filter(
      (name) => !text.includes(`"#/components/schemas/${name}"`),
    );
    if (unused.length === 0) return;
    for (const name of unused) delete schemas[name];
  }
}

interface Schema {
  $ref?: string;
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

/** Text of the documentation about a field of a call or of a named schema. */
function textOf(path: string, name: string): string | undefined {
  return fieldTexts[`${path}.${name}`] ?? fieldTexts[name];
}

/** Objects that have one description for all of their fields, by the name of the object. */
const groups: Record<string, (name: string) => string | undefined> = {
  mails: (name) => mailTexts[name],
  pushes: (name) => mailTexts[name],
  lists: (name) => `How the list of ${name.replaceAll('_', ' ')} is shown`,
};

const groupless = (path: string) => (path in groups ? '' : path);

/** Describes the fields of a schema at any depth. The content of a saved view is described with the view. */
function describeFields(schema: Schema, path: string): void {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const text = groups[path]?.(name) ?? textOf(path, name);
    if (text && !field.description) field.description = text;
    if (name !== 'search') describeFields(field, name in groups ? name : groupless(path));
  }
  const { items, additionalProperties, anyOf = [], oneOf = [], allOf = [] } = schema;
  if (items) describeFields(items, path);
  if (typeof additionalProperties === 'object') describeFields(additionalProperties, path);
  for (const part of [...anyOf, ...oneOf, ...allOf]) describeFields(part, path);
}
