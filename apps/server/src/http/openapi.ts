import type { Endpoint } from '@linekeeper/contract/endpoint.ts';
import { isMutation } from '@linekeeper/contract/endpoint.ts';
import { errors } from '@linekeeper/contract/errors.ts';

interface Operation {
  operationId?: string;
  parameters?: unknown[];
  requestBody?: object;
  security?: unknown[];
  responses?: Record<string, object>;
}

interface Document {
  paths?: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, unknown> };
}

const fileBody = {
  required: true,
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: ['file'],
        properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
        additionalProperties: false,
      },
    },
  },
};

/** Adds facts that schemas lack: the Idempotency-Key, public endpoints, and database errors. */
export function completeDocument(document: object, endpoints: readonly Endpoint[]): object {
  const { paths = {} } = document as Document;
  const byName = new Map(endpoints.map((endpoint) => [endpoint.name, endpoint]));
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
    const endpoint = byName.get(operation.operationId ?? '');
    if (endpoint) completeOperation(operation, endpoint);
  }
  dropUnusedSchemas(document);
  return document;
}

function completeOperation(operation: Operation, endpoint: Endpoint): void {
  if (endpoint.access === 'public') operation.security = [];
  else if (endpoint.needsSession) operation.security = [{ session: [] }];
  operation.responses = { ...operation.responses, ...refusalsByStatus(endpoint) };
  if (endpoint.contentType) nameContentType(operation, endpoint.contentType);
  if (endpoint.takesFile) {
    operation.requestBody = fileBody;
    return;
  }
  if (!isMutation(endpoint) || endpoint.access === 'public') return;
  operation.parameters = [
    ...(operation.parameters ?? []),
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: endpoint.needsIdempotencyKey ?? false,
      description:
        'Any text, one for each change that you intend. Sent again, it takes effect once',
      schema: { type: 'string', maxLength: 255 },
    },
  ];
}

/** The codes that are particular to this call, with their sentences, by status. */
function refusalsByStatus({ errors: codes = [] }: Endpoint): Record<string, object> {
  const sentences = Map.groupBy(codes, (code) => String(errors[code][0]));
  return Object.fromEntries(
    [...sentences].map(([status, ofStatus]) => [
      status,
      {
        description: ofStatus.map((code) => `\`${code}\`: ${errors[code][1]}`).join('\n\n'),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
}

/** For successful replies only, because errors are always JSON. */
function nameContentType({ responses = {} }: Operation, contentType: string): void {
  for (const [status, response] of Object.entries(responses)) {
    if (!status.startsWith('2')) continue;
    const { content = {} } = response as { content?: Record<string, unknown> };
    responses[status] = {
      ...(response as object),
      content: { [contentType]: content['application/json'] ?? { schema: { type: 'string' } } },
    };
  }
}

/** Each named schema is generated for input and for output; removes those without references. */
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
