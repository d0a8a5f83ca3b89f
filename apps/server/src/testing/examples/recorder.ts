import { randomUUID } from 'node:crypto';
import type { Endpoint } from '@linekeeper/contract/endpoint.ts';
import { isMutation } from '@linekeeper/contract/endpoint.ts';
import { strict } from '@linekeeper/contract/fields/strict.ts';
import type { TestClient } from '../client.ts';
import { endpoints } from '../wire/endpoints.ts';
import { type Recorded, type Recording, withFixedValues } from './fixed-values.ts';

/** The request of a call, and its reply. Files are left out. */
export interface Example {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  reply?: unknown;
}

type Sent = Omit<Example, 'reply'>;

/** Lines of a CSV file that an example shows. */
const SHOWN_LINES = 3;
/** Values of an array that an example shows, at most. */
const MOST_SHOWN = 8;
const SHOWN_VALUES = 3;

const byName = new Map(endpoints.map((endpoint) => [endpoint.name, endpoint]));

export function endpointNamed(name: string): Endpoint {
  const endpoint = byName.get(name);
  if (!endpoint) throw new Error(`No call has the name ${name}`);
  return endpoint;
}

function addressOf({ path }: Endpoint, { params = {}, query = {} }: Sent): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
  const search = new URLSearchParams(query).toString();
  return search ? `${filled}?${search}` : filled;
}

/** Makes calls, and keeps the first one of each name as its example. */
export class Recorder {
  readonly #examples = new Map<string, Recorded<Example>>();

  async call(by: TestClient, name: string, sent: Sent = {}) {
    const endpoint = endpointNamed(name);
    const key = { 'idempotency-key': randomUUID() };
    const { status, body } = await by.send(
      endpoint.method,
      addressOf(endpoint, sent),
      sent.body,
      isMutation(endpoint) ? key : {},
    );
    if (status !== (endpoint.status ?? 200)) {
      throw new Error(`${name} answered ${status} ${JSON.stringify(body)}`);
    }
    this.keep(name, { ...sent, reply: shortened(endpoint, body) });
    return body;
  }

  keep(name: string, example: Example): void {
    if (!this.#examples.has(name)) this.#examples.set(name, { example, saidAt: new Date() });
  }

  /** All examples in the order of the contract, without values of this machine and time. */
  all(recording: Recording): Record<string, Example> {
    const fixed = withFixedValues(this.#examples, recording);
    const found = endpoints.flatMap(({ name }) => {
      const example = fixed.get(name);
      return example ? [[name, example] as const] : [];
    });
    return Object.fromEntries(found);
  }
}

function shortened({ contentType }: Endpoint, body: unknown): unknown {
  if (contentType === 'application/octet-stream') return undefined;
  if (contentType !== 'text/csv') return JSON.parse(JSON.stringify(body), shortenArray);
  return `${String(body).split('\n').slice(0, SHOWN_LINES).join('\n')}\n`;
}

/** Charts have a value for each day, so arrays are cut. */
function shortenArray(_name: string, value: unknown): unknown {
  return Array.isArray(value) && value.length > MOST_SHOWN ? value.slice(0, SHOWN_VALUES) : value;
}

/** The faults of an example; empty if it matches the declaration of its call. */
export function faultsOf(endpoint: Endpoint, { params, query, body, reply }: Example): string[] {
  const parts = [
    ['params', endpoint.params, params],
    ['query', endpoint.query, query ?? (endpoint.query && {})],
    ['body', endpoint.body, body],
    ['reply', isFile(endpoint) ? undefined : strict(endpoint.output), reply],
  ] as const;
  return parts.flatMap(([part, schema, value]) => {
    if (!schema) return value === undefined ? [] : [`${part} is not declared`];
    const { error } = schema.safeParse(value);
    return error ? [`${part}: ${error.message}`] : [];
  });
}

const isFile = ({ contentType }: Endpoint) => contentType === 'application/octet-stream';
