// @module-tag thorough
import { Agent } from 'node:http';
import type { Endpoint } from '@linekeeper/contract/endpoint.ts';
import { can } from '@linekeeper/contract/permissions.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestClient } from '../testing/client.ts';
import { filePart, gifOf, jpegOf, multipart, pdf, pngOf, webpOf } from '../testing/files/files.ts';
import { bodiesFor, queriesFor } from '../testing/wire/arbitrary.ts';
import { endpoints } from '../testing/wire/endpoints.ts';
import { JSON_TYPE, sendRaw } from '../testing/wire/raw.ts';
import { signedIn } from '../testing/world/records.ts';
import { resourceOf, sampleBody, successStatus } from '../testing/world/samples.ts';
import { makeWorld, type Person, type World } from '../testing/world/world.ts';

/** Number of requests. Long runs use more, with other seeds. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS || 100);
const SEED = Number(process.env.FUZZ_SEED || 1);
/** Each of these hashes a password, which is slow. */
const COSTLY = new Set(['signUp', 'signIn', 'changePassword', 'createAccount']);
const AT_A_TIME = 10;

let world: World;
const agent = new Agent({ keepAlive: true });
beforeAll(async () => {
  world = await makeWorld();
  // No card server's name resolves, so nothing outside is connected to.
  world.panel.services.outbound.resolve = async () => [];
  world.panel.services.outbound.permits = () => false;
  const { admin, alpha } = world.people;
  await admin.client.post(`/api/accounts/${alpha.id}/credits`, { amount: 1_000_000 });
});
afterAll(async () => {
  agent.destroy();
  await world?.stop();
});

/** Deletes servers added by earlier tests, because they would slow down calls that test all of them. */
async function tidyUp(): Promise<void> {
  const { db } = world.panel.services;
  await db.deleteFrom('rate_limits').execute();
  await db
    .deleteFrom('cccam_servers')
    .where('id', 'not in', db.selectFrom('users').select('server_id'))
    .execute();
}

/** Accounts with access; after a change of password an account cannot sign in any more. */
function callersOf(endpoint: Endpoint): Person[] {
  const { admin, alpha, user } = world.people;
  if (endpoint.name === 'changePassword') return [user];
  return [admin, alpha].filter((person) => can(person, endpoint.access));
}

function requestCount({ name, params, query, body, takesFile }: Endpoint): number {
  if (!params && !query && !body && !takesFile) return Math.ceil(REQUESTS / 20);
  return COSTLY.has(name) ? Math.ceil(REQUESTS / 5) : REQUESTS;
}

const sound = [pngOf(), gifOf(), jpegOf(), webpOf(), pdf, Buffer.from('text')];

/** Files as they are, cut, with other bytes in between, and none at all. */
const files: fc.Arbitrary<Buffer> = fc
  .tuple(
    fc.constantFrom(...sound, Buffer.alloc(0)),
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.oneof(fc.constant(Buffer.alloc(0)), fc.uint8Array({ maxLength: 60 }).map(Buffer.from)),
    fc.boolean(),
  )
  .map(([file, share, bytes, isCut]) => {
    const at = Math.floor(file.length * share);
    if (bytes.length === 0 && !isCut) return file;
    return Buffer.concat([
      file.subarray(0, at),
      bytes,
      isCut ? Buffer.alloc(0) : file.subarray(at),
    ]);
  });

interface FuzzRequest {
  person: Person;
  path: string;
  body: unknown;
}

function requestsFrom(person: Person, endpoint: Endpoint): fc.Arbitrary<FuzzRequest> {
  const { people, missing } = world;
  const resource = resourceOf(endpoint);
  const ids = resource ? [person.own, people.beta.own, missing].map((own) => own[resource]) : [];
  const madeUp = fc
    .string({ maxLength: 40 })
    .map((text) => encodeURIComponent(text.replace(/[\ud800-\udfff]/g, '')));
  return fc.record({
    person: fc.constant(person),
    path: fc
      .tuple(fc.oneof(fc.constantFrom(...ids, ''), madeUp), queriesFor(endpoint.query))
      .map(([id, query]) => endpoint.path.replace('{id}', id) + query),
    body: endpoint.takesFile
      ? fc.record({ content: files, name: fc.string({ unit: 'grapheme', maxLength: 300 }) })
      : endpoint.body
        ? bodiesFor(endpoint.body, () => sampleBody(endpoint, person.own, person) ?? {})
        : fc.constant(undefined),
  });
}

interface File {
  content: Buffer;
  name: string;
}

function contentOf({ takesFile }: Endpoint, body: unknown) {
  if (body === undefined) return {};
  if (!takesFile) return { type: JSON_TYPE['content-type'], text: JSON.stringify(body) };
  const { content, name } = body as File;
  const sent = multipart([filePart(content, name.replaceAll('"', '%22'))]);
  return { type: sent.type, text: sent.body };
}

/** The problem with a reply, or null. */
async function faultOf(
  { path, body }: FuzzRequest,
  endpoint: Endpoint,
  { cookie }: TestClient,
  statuses: Set<number>,
): Promise<string | null> {
  const { method } = endpoint;
  const { type, text } = contentOf(endpoint, body);
  const reply = await sendRaw(world.panel.url, {
    method,
    path,
    agent,
    headers: {
      cookie,
      'idempotency-key': crypto.randomUUID(),
      ...(type ? { 'content-type': type } : {}),
    },
    ...(text === undefined ? {} : { body: text }),
  });
  statuses.add(reply.status);
  const isShaped = reply.status < 400 || 'code' in JSON.parse(reply.text);
  if (reply.status < 500 && isShaped) return null;
  return `${method} ${path} ${JSON.stringify(body)}: ${reply.status} ${reply.text}`;
}

/** Calls that delete come last, because the others need what they delete. */
const isLast = ({ method, name }: Endpoint) => method === 'DELETE' && name !== 'withdrawLinePage';
const inOrder = [...endpoints.filter((endpoint) => !isLast(endpoint)), ...endpoints.filter(isLast)];
/** Calls without a valid request here: the delivery has a second id, and no push service is there. */
const neverDone = ['redeliver', 'subscribeToPush'];

test.each(inOrder.map(({ name }) => name))(
  '%s answers whatever it is asked without an error of its own',
  async (name) => {
    const endpoint = endpoints.find((one) => one.name === name) as Endpoint;
    const callers = callersOf(endpoint);
    const clients = new Map<Person, TestClient>();
    for (const person of callers) {
      clients.set(person, await signedIn(world.panel, person.email, person.password));
    }
    const requests = fc.sample(
      fc.oneof(...callers.map((person) => requestsFrom(person, endpoint))),
      { numRuns: requestCount(endpoint), seed: SEED },
    );
    const statuses = new Set<number>();
    const faults: string[] = [];
    const waiting = requests.values();
    const worker = async () => {
      for (const request of waiting) {
        const client = clients.get(request.person) as TestClient;
        const fault = await faultOf(request, endpoint, client, statuses);
        if (fault) faults.push(fault);
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, worker));
    await tidyUp();
    expect(faults.slice(0, 3)).toEqual([]);
    // Some requests must be valid, or the test would prove little. Without an id in the path, 404
    // is a valid reply.
    const sound = [successStatus(endpoint), 409, ...(resourceOf(endpoint) ? [] : [404])];
    const isDone = [...statuses].some((status) => sound.includes(status));
    expect(isDone || neverDone.includes(name)).toBe(true);
  },
);

test('the database still holds together after all of it', async () => {
  const { panel } = world;
  const client = await signedIn(panel, panel.env.ADMIN_EMAIL ?? '', panel.env.ADMIN_PASSWORD ?? '');
  for (const path of ['/api/lines', '/api/accounts', '/api/servers', '/api/me', '/ready']) {
    expect((await client.get(path)).status, path).toBe(200);
  }
});
