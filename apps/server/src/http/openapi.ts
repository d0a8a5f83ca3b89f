import type { Endpoint } from '@linekeeper/contract/endpoint.ts';
import { isMutation } from '@linekeeper/contract/endpoint.ts';

interface Operation {
  operationId?: string;
  parameters?: unknown[];
  security?: unknown[];
  responses?: Record<string, unknown>;
}

interface Document {
  paths?: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, unknown> };
}

/** Adds what schemas alone do not say: the Idempotency-Key, who needs no session, the database away. */
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
  if (endpoint.contentType) nameContentType(operation, endpoint.contentType);
  if (!isMutation(endpoint) || endpoint.access === 'public') return;
  operation.parameters = [
    ...(operation.parameters ?? []),
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: endpoint.needsIdempotencyKey ?? false,
      description: 'The same key with the same request takes effect once and is answered the same',
      schema: { type: 'string', maxLength: 255 },
    },
  ];
}

/** Of the replies that succeed: refusals are JSON whatever was asked for. */
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

/** Every named schema is written twice, as input and as output; what nothing points to goes. */
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
