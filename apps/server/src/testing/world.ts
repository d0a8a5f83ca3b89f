import { randomUUID } from 'node:crypto';
import type { Actor, Permission } from '@linekeeper/contract/permissions.ts';
import { fixedGroups } from '@linekeeper/contract/permissions.ts';
import { sql } from 'kysely';
import { makeApiKey } from '../core/accounts/api-keys.ts';
import { ISSUANCE, moveCredits, SALES } from '../core/credits/credits.ts';
import { transact } from '../db/transaction.ts';
import { TestClient } from './client.ts';
import { holdChecks } from './held/held-checks.ts';
import { startTestAgent, startTestPanel, type TestPanel } from './panel.ts';
import { packageSample } from './top-ups.ts';

/** Custom groups, each with only one of the permissions that usually go together. */
const customGroups: Record<string, Permission[]> = {
  line_manager: ['manage_users'],
  overseer: ['view_users', 'manage_users'],
  account_manager: ['manage_resellers'],
  account_viewer: ['view_resellers'],
  group_manager: ['view_groups', 'manage_groups'],
};

export const actorNames = [
  'admin',
  'banned_admin',
  'alpha',
  'beta',
  'user',
  'line_manager',
  'overseer',
  'account_manager',
  'account_viewer',
  'group_manager',
] as const;
export type ActorName = (typeof actorNames)[number];

/** Ids that a request may name. Each account has an account and a line below it, and a finished job. */
export interface Targets {
  account: string;
  line: string;
  server: string;
  /** A sale paid by the account. */
  transfer: string;
  job: string;
  /** A group without members. Groups belong to nobody. */
  group: string;
  redeem_code: string;
  /** Another session than the one in use. */
  session: string;
  api_key: string;
  credit_package: string;
  /** A pending one of the account itself. */
  top_up: string;
  /** One that the account itself has opened. */
  ticket: string;
  canned_reply: string;
}

export interface Person extends Actor {
  name: ActorName;
  id: string;
  email: string;
  password: string;
  client: TestClient;
  /** Its session is one from before. */
  is_banned: boolean;
  own: Targets;
}

/**
 * A panel with all kinds of accounts: an administrator, one that was banned, two unrelated resellers (alpha and beta), a
 * user of group 3 and accounts of custom groups.
 */
export interface World {
  panel: TestPanel;
  agentUrl: string;
  people: Record<ActorName, Person>;
  /** Ids that do not exist. */
  missing: Targets;
  stop(): Promise<void>;
}

const PASSWORD = 'a password of the world';

async function addGroups({ services: { db } }: TestPanel): Promise<void> {
  const rows = Object.entries(customGroups).map(([id, permissions]) => ({
    id,
    name: id,
    permissions,
  }));
  await db.insertInto('groups').values(rows).execute();
}

function groupOf(name: ActorName): string {
  return name.endsWith('admin') ? '1' : name === 'user' ? '3' : name in customGroups ? name : '2';
}

async function addAccount(panel: TestPanel, group_id: string, owner_id: string | null) {
  const email = `${group_id}-${randomUUID()}@panel.example`;
  const account = { email, password: PASSWORD, group_id, credits: 0 };
  const { body } = await panel.admin.post('/api/accounts', account);
  const { id } = body.account;
  const { db } = panel.services;
  await db.updateTable('auth_users').set({ owner_id }).where('id', '=', id).execute();
  return { id, email, password: PASSWORD };
}

/** Signs in with a new session. */
export async function signedIn(panel: TestPanel, email: string, password: string) {
  const client = new TestClient(panel.url);
  await client.signIn(email, password);
  return client;
}

/** Creates a sale for one credit, which the account receives first. */
export async function addSale({ services: { db } }: TestPanel, accountId: string): Promise<string> {
  const about = { amount: 1, actor_id: accountId };
  return transact(db, async (tx) => {
    await moveCredits(tx, { ...about, kind: 'mint', from_id: ISSUANCE, to_id: accountId });
    const sale = { ...about, kind: 'sale', from_id: accountId, to_id: SALES } as const;
    return (await moveCredits(tx, sale)).id;
  });
}

/** Returns its id. */
export async function addRedeemCode({ admin }: TestPanel): Promise<string> {
  const { body } = await admin.post('/api/redeem-codes', { credits: 1 });
  return body.codes[0].id;
}

type WithPassword = Pick<Person, 'email' | 'password'>;

/** Signs in once more; returns the session's id. */
export async function addSession(panel: TestPanel, { email, password }: WithPassword) {
  const client = await signedIn(panel, email, password);
  const { body } = await client.get('/api/auth/sessions');
  return body.items.find(({ is_current }: { is_current: boolean }) => is_current).id;
}

/** Returns its id. */
export async function addApiKey(
  { services: { db } }: TestPanel,
  account_id: string,
): Promise<string> {
  const id = randomUUID();
  const { start, key_hash } = makeApiKey();
  await db
    .insertInto('api_keys')
    .values({ id, account_id, name: `Key ${id}`, start, key_hash })
    .execute();
  return id;
}

/** A client that sends a new API key of a signed-in account in place of its session. */
export async function withApiKey(client: TestClient): Promise<TestClient> {
  const { body } = await client.post('/api/auth/api-keys', { name: 'A key of the world' });
  const keyed = new TestClient(client.url);
  keyed.apiKey = body.key;
  return keyed;
}

/** Returns its id. */
export async function addPackage({ admin }: TestPanel): Promise<string> {
  const { body } = await admin.post('/api/packages', packageSample);
  return body.package.id;
}

/** Returns its id. */
export async function addTicket({ services: { db } }: TestPanel, user_id: string): Promise<string> {
  const id = randomUUID();
  const { rows } = await sql<{ number: number }>`
    update ticket_numbers set last_number = last_number + 1
      returning last_number as number`.execute(db);
  const text = { title: `Ticket ${id}`, description: 'Text' };
  await db
    .insertInto('tickets')
    .values({
      ...text,
      id,
      number: rows[0]?.number ?? 0,
      user_id,
      assigned_to: null,
      last_writer_id: user_id,
    })
    .execute();
  return id;
}

/** Returns its id. */
export async function addCannedReply({ admin }: TestPanel): Promise<string> {
  const sample = { title: `Canned ${randomUUID()}`, content: 'Text' };
  const { body } = await admin.post('/api/canned-replies', sample);
  return body.canned_reply.id;
}

/** A pending top-up by bank transfer. */
export async function addTopUp(panel: TestPanel, account_id: string): Promise<string> {
  const id = randomUUID();
  const { name: package_name, ...ordered } = packageSample;
  await sql`
    insert into top_ups (id, number, account_id, package_id, package_name, credits, price_minor,
        currency, method)
      select ${id}, coalesce(max(number), 0) + 1, ${account_id}, ${randomUUID()}, ${package_name},
        ${ordered.credits}, ${ordered.price_minor}, ${ordered.currency}, 'transfer'
      from top_ups`.execute(panel.services.db);
  return id;
}

/** A job that can be neither cancelled nor undone. */
async function addEndedJob({ services: { db } }: TestPanel, account_id: string): Promise<string> {
  const id = randomUUID();
  const job = { id, account_id, action: 'export', state: 'done', arguments: '{}' } as const;
  await db
    .insertInto('jobs')
    .values({ ...job, undo_of: null, total: 0, finished_at: new Date() })
    .execute();
  return id;
}

/** A group without members. */
export async function addEmptyGroup({ services: { db } }: TestPanel): Promise<string> {
  const id = randomUUID();
  await db
    .insertInto('groups')
    .values({ id, name: `Group ${id}` })
    .execute();
  return id;
}

async function addPerson(panel: TestPanel, name: ActorName, server: string): Promise<Person> {
  const group_id = groupOf(name);
  const isAdmin = group_id === '1';
  const account = await addAccount(panel, group_id, null);
  if (!isAdmin && name !== 'user') {
    await panel.admin.post(`/api/accounts/${account.id}/credits`, { amount: 100 });
  }
  const sold = await panel.admin.post('/api/lines', {
    username: `line-of-${name}`,
    password: `pw-of-${name}`,
    subscription_months: 1,
    owner_id: account.id,
  });
  const below = (await addAccount(panel, '3', account.id)).id;
  return {
    name,
    ...account,
    is_admin: isAdmin,
    permissions:
      customGroups[group_id] ?? fixedGroups.find(({ id }) => id === group_id)?.permissions ?? [],
    client: await signedIn(panel, account.email, account.password),
    is_banned: name === 'banned_admin',
    own: {
      account: below,
      line: sold.body.line.id,
      server,
      transfer: await addSale(panel, below),
      job: await addEndedJob(panel, account.id),
      group: await addEmptyGroup(panel),
      redeem_code: await addRedeemCode(panel),
      session: await addSession(panel, account),
      api_key: await addApiKey(panel, account.id),
      credit_package: await addPackage(panel),
      top_up: await addTopUp(panel, account.id),
      ticket: await addTicket(panel, account.id),
      canned_reply: await addCannedReply(panel),
    },
  };
}

export async function makeWorld(env: Record<string, string> = {}): Promise<World> {
  const agent = await startTestAgent();
  const panel = await startTestPanel('postgres', env);
  await holdChecks(panel.services.db);
  await addGroups(panel);
  const server = (await panel.addServer(agent.url)).id;
  const people = {} as Record<ActorName, Person>;
  for (const name of actorNames) people[name] = await addPerson(panel, name, server);
  await panel.admin.post(`/api/accounts/${people.banned_admin.id}/ban`, {});
  return {
    panel,
    agentUrl: agent.url,
    people,
    missing: {
      account: randomUUID(),
      line: randomUUID(),
      server: randomUUID(),
      transfer: randomUUID(),
      job: randomUUID(),
      group: randomUUID(),
      redeem_code: randomUUID(),
      session: randomUUID(),
      api_key: randomUUID(),
      credit_package: randomUUID(),
      top_up: randomUUID(),
      ticket: randomUUID(),
      canned_reply: randomUUID(),
    },
    stop: async () => {
      await panel.stop();
      await agent.close();
    },
  };
}
