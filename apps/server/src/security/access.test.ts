import { randomUUID } from 'node:crypto';
import type { Endpoint } from '@linekeeper/contract/endpoint.ts';
import { can } from '@linekeeper/contract/permissions.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dumpWithoutJobs } from '../testing/database/dump.ts';
import { eventually } from '../testing/eventually.ts';
import { storeLines } from '../testing/lines.ts';
import { declaredEndpoints, endpoints } from '../testing/wire/endpoints.ts';
import type { RawReply } from '../testing/wire/raw.ts';
import { sendRaw } from '../testing/wire/raw.ts';
import {
  addActivationCode,
  addApiKey,
  addArticle,
  addAttachment,
  addAwaited,
  addCannedReply,
  addEmptyGroup,
  addMessage,
  addPackage,
  addPlan,
  addPriceList,
  addRedeemCode,
  addSale,
  addSession,
  addTicket,
  addTopUp,
  addWebhook,
  signedIn,
  withApiKey,
} from '../testing/world/records.ts';
import { resourceOf, samplePath, sendSample, successStatus } from '../testing/world/samples.ts';
import {
  actorNames,
  makeWorld,
  type Person,
  type Targets,
  type World,
} from '../testing/world/world.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world?.stop());

const movesCredits = new Set(['addCredits', 'takeBackCredits', 'setLimits']);

/** True if other accounts' rows are visible. Credits are moved, and limits set, within the own subtree only. */
function seesAll(person: Person, endpoint: Endpoint): boolean {
  const resource = resourceOf(endpoint);
  const ownOnly = ['session', 'api_key', 'webhook', 'activation_code', 'book_entry'];
  if (ownOnly.includes(resource ?? '')) return false;
  if (resource === 'notification' || resource === 'price_list') return false;
  if (resource === 'plan') return true;
  if (resource === 'message') return person.is_admin;
  if (endpoint.name === 'deleteAttachment') return false;
  if (resource === 'attachment') return person.is_admin;
  // No account can pay for another by card, or withdraw another's orders.
  if (['checkOutTopUp', 'withdrawTopUp'].includes(endpoint.name)) return false;
  if (person.is_admin || resource === 'server' || resource === 'awaited' || resource === 'group')
    return true;
  if (resource === 'article') return true;
  if (resource === 'job' || resource === 'ticket') return false;
  if (resource === 'line') return can(person, ['manage_users']);
  if (movesCredits.has(endpoint.name)) return false;
  if (endpoint.method === 'GET') return can(person, ['view_resellers', 'manage_resellers']);
  return can(person, ['manage_resellers']);
}

/**
 * True for people who may make links for resellers, because the accounts of these links became
 * resellers by their credits.
 */
function mayActAsReseller(person: Person): boolean {
  return can(person, ['view_users']) && can(person, ['add_credits']);
}

/** Public calls that are closed to visitors unless an administrator changes a setting. */
const closedToVisitors = new Set(['listArticles', 'getArticle']);

type Aim = 'own' | 'foreign' | 'missing';

function expectedStatus(person: Person | null, endpoint: Endpoint, aim: Aim): number {
  const { access } = endpoint;
  if (person?.client.apiKey && endpoint.needsSession) return 403;
  const isClosed = access !== 'public' || closedToVisitors.has(endpoint.name);
  if (isClosed && (!person || person.is_banned)) return 401;
  if (person?.is_banned && endpoint.name === 'signIn') return 401;
  if (!can(person, access)) return 403;
  if (aim === 'missing') return 404;
  if (aim === 'foreign' && person && !seesAll(person, endpoint)) return 404;
  // Automatic renewal spends the owner's credits, so only the owner may set it.
  if (aim === 'foreign' && endpoint.name === 'setAutoRenewal') return 403;
  if (
    ['createResetLink', 'banAccount'].includes(endpoint.name) &&
    person &&
    !mayActAsReseller(person)
  ) {
    return 403;
  }
  return successStatus(endpoint);
}

/** The targets, with a new row for a call that uses one up. */
async function disposable(endpoint: Endpoint, targets: Targets): Promise<Targets> {
  if (targets === world.missing) return targets;
  if (endpoint.name === 'deleteGroup') {
    return { ...targets, group: await addEmptyGroup(world.panel) };
  }
  if (endpoint.name === 'addAwaitedServer') {
    return { ...targets, awaited: await addAwaited(world.panel) };
  }
  if (endpoint.name === 'deleteServer') return { ...targets, server: await addServer() };
  if (['deleteLine', 'changePlan'].includes(endpoint.name)) {
    return { ...targets, line: await addLikeLine(targets.line) };
  }
  if (endpoint.name === 'refundTransfer') {
    return { ...targets, transfer: await addSale(world.panel, targets.account) };
  }
  if (endpoint.name === 'deleteRedeemCode') {
    return { ...targets, redeem_code: await addRedeemCode(world.panel) };
  }
  if (endpoint.name === 'refundActivationCode') {
    const of = Object.values(world.people).find(({ own }) => own === targets);
    const seller = of?.id ?? targets.account;
    return { ...targets, activation_code: await addActivationCode(world.panel, seller) };
  }
  const person = Object.values(world.people).find(({ own }) => own === targets);
  if (person && endpoint.name === 'deleteAttachment') {
    return { ...targets, attachment: await addAttachment(world.panel, person.id, null) };
  }
  if (endpoint.name === 'withdrawTopUp') {
    // A new awaited server for each call would reach the maximum.
    await world.panel.services.db
      .updateTable('top_ups')
      .set({ status: 'pending', decided_at: null, decided_by: null })
      .where('id', '=', targets.top_up)
      .execute();
    return targets;
  }
  if (person && endpoint.name === 'endSession') {
    return { ...targets, session: await addSession(world.panel, person) };
  }
  if (person && endpoint.name === 'deleteApiKey') {
    return { ...targets, api_key: await addApiKey(world.panel, person.id) };
  }
  if (person && endpoint.name === 'deleteWebhook') {
    return { ...targets, webhook: await addWebhook(world.panel, person.id) };
  }
  if (endpoint.name === 'deleteArticle') {
    return { ...targets, article: await addArticle(world.panel) };
  }
  if (endpoint.name === 'deleteMessage') {
    return { ...targets, message: await addMessage(world.panel, world.people.beta.id) };
  }
  if (endpoint.name === 'deletePackage') {
    return { ...targets, credit_package: await addPackage(world.panel) };
  }
  if (endpoint.name === 'deletePlan') return { ...targets, plan: await addPlan(world.panel) };
  if (person && endpoint.name === 'deletePriceList') {
    const owner = person.is_admin ? null : person.id;
    return { ...targets, price_list: await addPriceList(world.panel, owner) };
  }
  if (endpoint.name === 'deleteTicket') {
    return { ...targets, ticket: await addTicket(world.panel, targets.account) };
  }
  if (endpoint.name === 'deleteCannedReply') {
    return { ...targets, canned_reply: await addCannedReply(world.panel) };
  }
  if (['approveTopUp', 'rejectTopUp'].includes(endpoint.name)) {
    return { ...targets, top_up: await addTopUp(world.panel, world.people.beta.id) };
  }
  if (endpoint.name === 'takeBackCredits') {
    await world.panel.admin.post(`/api/accounts/${targets.account}/credits`, { amount: 1 });
  }
  return targets;
}

async function addServer(): Promise<string> {
  const { body } = await world.panel.admin.post('/api/servers', {
    server_name: 'To be removed',
    host_ip: '127.0.0.1',
    port: 1,
    username: 'panel',
    password: 'pw',
  });
  return body.server.id;
}

/** Adds another line of the same owner, whose plan can be changed free of charge. */
async function addLikeLine(id: string): Promise<string> {
  const { db, secrets } = world.panel.services;
  const { owner_id, server_id } = await db
    .selectFrom('users')
    .select(['owner_id', 'server_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const username = `removed-${randomUUID().slice(-12)}`;
  const [added = ''] = await storeLines(db, owner_id, server_id, [
    { username, expiry_date: world.panel.services.today() },
  ]);
  const password = secrets.seal('pw', added);
  await db.updateTable('users').set({ password }).where('id', '=', added).execute();
  return added;
}

/** Sign-out comes last, because the other calls need the session. */
const inOrder = endpoints.toSorted(
  (a, b) => Number(a.name === 'signOut') - Number(b.name === 'signOut'),
);

async function wrongCells(person: Person | null): Promise<string[]> {
  const { panel, people, missing } = world;
  const stranger = person?.name === 'beta' ? people.alpha : people.beta;
  const who = person ?? { ...people.user, client: panel.anonymous() };
  const wrong: string[] = [];
  await panel.services.db.deleteFrom('rate_limits').execute();
  for (const endpoint of inOrder) {
    const aims: Aim[] = resourceOf(endpoint) ? ['own', 'foreign', 'missing'] : ['own'];
    const replies = new Map<Aim, RawReply>();
    for (const aim of aims) {
      const named = { own: who.own, foreign: stranger.own, missing }[aim];
      // Calls by a banned account use the shared rows, because they are refused.
      const targets = person?.is_banned ? named : await disposable(endpoint, named);
      const reply = await sendSample(panel.url, endpoint, targets, who);
      replies.set(aim, reply);
      const expected = expectedStatus(person, endpoint, aim);
      if (reply.status !== expected) {
        wrong.push(`${endpoint.name} ${aim}: ${reply.status} instead of ${expected} ${reply.text}`);
      }
    }
    const [foreign, absent] = [replies.get('foreign'), replies.get('missing')];
    if (foreign?.status === 404 && foreign.text !== absent?.text) {
      wrong.push(`${endpoint.name}: foreign ${foreign.text}, missing ${absent?.text}`);
    }
  }
  return wrong;
}

test.each([null, ...actorNames])(
  'every call answers %s as the policy says',
  { tags: ['spec:6.6', 'spec:6.8', 'spec:6.15', 'spec:6.10', 'spec:6.17'] },
  async (name) => {
    expect(await wrongCells(name && world.people[name])).toEqual([]);
  },
);

test.each(['admin', 'alpha', 'overseer'] as const)(
  'every call answers an API key of %s as the policy says',
  async (name) => {
    const person = world.people[name];
    const session = await signedIn(world.panel, person.email, person.password);
    const client = await withApiKey(session);
    expect(await wrongCells({ ...person, client })).toEqual([]);
  },
);

/** Reviewed line by line, so that no endpoint is opened by accident; written again with `vitest -u`. */
test('the contract declares the access that was reviewed, and what no API key may do', async () => {
  const policy = endpoints
    .map(({ method, path, access, needsSession }) =>
      [`${method} ${path}`, access, ...(needsSession ? ['no API key'] : [])].join(' | '),
    )
    .sort();
  await expect(`${policy.join('\n')}\n`).toMatchFileSnapshot('access-policy.txt');
});

const besideTheContract = new Set([
  'GET /health',
  'GET /ready',
  'GET /metrics',
  'GET /api/openapi.json',
  'GET /api/events',
  // Files that card servers fetch to install an agent; none of them is secret.
  'GET /agent.sh',
  'GET /agent/linekeeper-agent.mjs',
  'GET /agent/node.gz',
  // The signature decides about the access. The tests of card payments cover it.
  'POST /api/payments/stripe/webhook',
  // Its access is the token in the address: customer-pages.test.ts has it.
  'GET /l/:token',
  'POST /l/:token/renewal',
  'GET /stop-reminders',
  'POST /stop-reminders',
  'GET /l/*',
  // Serves the files of the web app.
  'GET *',
]);

/** Every mounted route as `METHOD /path/:parameter`, parsed from Fastify's printed tree. */
function mountedRoutes(): string[] {
  const parents: string[] = [];
  return world.panel.app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((text) => {
      const found = /^([│├└─\s]*)(\S.*?)(?: \(([A-Z, ]+)\))?$/.exec(text);
      if (!found) return [];
      const [, indent = '', segment = '', methods] = found;
      const depth = indent.length / 4;
      parents.length = Math.max(0, depth - 1);
      parents.push(segment);
      return (methods ?? '')
        .split(', ')
        .filter(Boolean)
        .map((method) => `${method} ${parents.join('')}`);
    });
}

test('every call of the contract is mounted, and nothing beside it but what is listed', {
  tags: ['spec:7.34'],
}, async () => {
  const mounted = mountedRoutes();
  const promised = (await declaredEndpoints()).map(
    ({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
  );
  expect(promised.filter((route) => !mounted.includes(route))).toEqual([]);
  const isExpected = (route: string) => {
    const [method = '', path = ''] = route.replace(/^HEAD /, 'GET ').split(' ');
    return (
      promised.includes(`${method} ${path}`) ||
      besideTheContract.has(`${method} ${path}`) ||
      (method === 'GET' && /^\/api\/docs(\/|$)/.test(path))
    );
  };
  expect(mounted.length).toBeGreaterThan(promised.length);
  expect(mounted.filter((route) => !isExpected(route))).toEqual([]);
});

test('HEAD and OPTIONS change nothing and say no more than GET', async () => {
  const { panel, people } = world;
  const { own } = people.admin;
  const { cookie } = panel.admin;
  // The first call seals new rows, or makes the keys for notifications on devices, which would count as a change later.
  await panel.admin.get('/api/credits/verify');
  await panel.admin.get('/api/me/push');
  await eventually(async () => expect((await panel.admin.get('/api/sync')).body.items).toEqual([]));
  const before = await dumpWithoutJobs(panel.services.db);
  for (const endpoint of endpoints) {
    const path = samplePath(endpoint, own);
    const options = await sendRaw(panel.url, { method: 'OPTIONS', path, headers: { cookie } });
    expect(options.status, `OPTIONS ${path}`).toBe(404);
    const head = await sendRaw(panel.url, { method: 'HEAD', path, headers: { cookie } });
    if (endpoint.method === 'GET' && endpoint.repliesWithSecret) {
      // A reveal is written to the audit log, so HEAD, which would reveal nothing, is not accepted.
      expect([head.status, head.text], `HEAD ${path}`).toEqual([404, '']);
      continue;
    }
    const get = await sendRaw(panel.url, { method: 'GET', path, headers: { cookie } });
    expect([head.status, head.text], `HEAD ${path}`).toEqual([get.status, '']);
  }
  const events = { method: 'HEAD', path: '/api/events', headers: { cookie } };
  expect((await sendRaw(panel.url, events)).status).toBe(404);
  expect(await dumpWithoutJobs(panel.services.db)).toEqual(before);
});
