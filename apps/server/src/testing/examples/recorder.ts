import { createHash, randomUUID } from 'node:crypto';
import type { Endpoint } from '@linekeeper/contract/endpoint.ts';
import { isMutation } from '@linekeeper/contract/endpoint.ts';
import { strict } from '@linekeeper/contract/fields/strict.ts';
import type { TestClient } from '../client.ts';
import { endpoints } from '../endpoints.ts';

/** What a call is sent, and what it answers; files are left out. */
export interface Example {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  reply?: unknown;
}

type Sent = Omit<Example, 'reply'>;

/** Lines of a CSV file that an example shows. */
const SHOWN_LINES = 3;
/** Longer arrays are cut to their first values. */
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

/** Makes calls and keeps the first of each name as its example. */
export class Recorder {
  readonly #examples = new Map<string, Example>();

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
    if (!this.#examples.has(name)) this.#examples.set(name, example);
  }

  /** By the order of the contract, with `replaced` instead of what is of this machine and moment. */
  all(replaced: ReadonlyMap<string, string>): Record<string, Example> {
    const found = endpoints.flatMap(({ name }) => {
      const example = this.#examples.get(name);
      return example ? [[name, example] as const] : [];
    });
    return tidied(Object.fromEntries(found), replaced);
  }
}

function shortened({ contentType }: Endpoint, body: unknown): unknown {
  if (contentType === 'application/octet-stream') return undefined;
  if (contentType !== 'text/csv') return JSON.parse(JSON.stringify(body), shortenArray);
  return `${String(body).split('\n').slice(0, SHOWN_LINES).join('\n')}\n`;
}

/** Charts have a value for each day. */
function shortenArray(_name: string, value: unknown): unknown {
  return Array.isArray(value) && value.length > MOST_SHOWN ? value.slice(0, SHOWN_VALUES) : value;
}

/** Fields whose values open something: their examples look alike, and open nothing. */
const SECRETS =
  /"(key|start|secret|otpauth_url|challenge|token|url|code|recovery_code|recovery_codes)":("[^"]*"|\[[^\]]*\])/g;
const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** The same id, wherever it is, becomes the same other one in each recording. */
function idOf(place: number): string {
  const hex = createHash('sha256').update(`example ${place}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-9${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** A secret with other letters and digits in place of its own; its form stays. */
function masked(field: string): string {
  return field.replace(
    /(?<=lk_)[\w-]+|(?<![\w-])(?!lk_)(?=[\w-]*\d)[\w-]{10,}|[A-Z2-7]{16,}/g,
    (word) =>
      isId(word) ? word : word.replace(/\d/g, '7').replace(/[a-z]/g, 'x').replace(/[A-Z]/g, 'X'),
  );
}

const isId = (text: string) => new RegExp(`^${ID.source}$`).test(text);

function tidied<Examples>(examples: Examples, replaced: ReadonlyMap<string, string>): Examples {
  let text = JSON.stringify(examples);
  for (const [from, to] of replaced) text = text.replaceAll(from, to);
  const places = new Map<string, string>();
  text = text.replace(SECRETS, masked).replace(ID, (id) => {
    const known = places.get(id) ?? idOf(places.size);
    places.set(id, known);
    return known;
  });
  return JSON.parse(text);
}

/** What is wrong with an example; empty if it is as its call declares it. */
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
