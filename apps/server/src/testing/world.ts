import { randomUUID } from 'node:crypto';
import type { Actor, Permission } from '@linekeeper/contract/permissions.ts';
import { fixedGroups } from '@linekeeper/contract/permissions.ts';
import { TestClient } from './client.ts';
import { startTestAgent, startTestPanel, type TestPanel } from './panel.ts';

/** Custom groups that hold one half of a permission each. */
const customGroups: Record<string, Permission[]> = {
  line_manager: ['manage_users'],
  overseer: ['view_users', 'manage_users'],
  account_manager: ['manage_resellers'],
};

export const actorNames = [
  'admin',
  'alpha',
  'beta',
  'user',
  'line_manager',
  'overseer',
  'account_manager',
] as const;
export type ActorName = (typeof actorNames)[number];

/** What a request may name; each account has an account and a line below it, and a job that is over. */
export interface Targets {
  account: string;
  line: string;
  server: string;
  job: string;
}

export interface Person extends Actor {
  name: ActorName;
  id: string;
  email: string;
  password: string;
  client: TestClient;
  own: Targets;
}

/**
 * A panel with everybody there can be: an administrator, two resellers who are strangers to each
 * other (alpha and beta), a user of group 3 and accounts of custom groups.
 */
export interface World {
  panel: TestPanel;
  agentUrl: string;
  people: Record<ActorName, Person>;
  /** Ids of nothing. */
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
  return name === 'admin' ? '1' : name === 'user' ? '3' : name in customGroups ? name : '2';
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

/** Signs in as `email`, with a session of its own. */
export async function signedIn(panel: TestPanel, email: string, password: string) {
  const client = new TestClient(panel.url);
  await client.signIn(email, password);
  return client;
}

/** One that can neither be cancelled nor undone. */
async function addEndedJob({ services: { db } }: TestPanel, account_id: string): Promise<string> {
  const id = randomUUID();
  const job = { id, account_id, action: 'export', state: 'done', arguments: '{}' } as const;
  await db
    .insertInto('jobs')
    .values({ ...job, undo_of: null, total: 0, finished_at: new Date() })
    .execute();
  return id;
}

async function addPerson(panel: TestPanel, name: ActorName, server: string): Promise<Person> {
  const group_id = groupOf(name);
  const isAdmin = name === 'admin';
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
  return {
    name,
    ...account,
    is_admin: isAdmin,
    permissions:
      customGroups[group_id] ?? fixedGroups.find(({ id }) => id === group_id)?.permissions ?? [],
    client: await signedIn(panel, account.email, account.password),
    own: {
      account: (await addAccount(panel, '3', account.id)).id,
      line: sold.body.line.id,
      server,
      job: await addEndedJob(panel, account.id),
    },
  };
}

export async function makeWorld(env: Record<string, string> = {}): Promise<World> {
  const agent = await startTestAgent();
  const panel = await startTestPanel('postgres', env);
  await addGroups(panel);
  const server = (await panel.addServer(agent.url)).id;
  const people = {} as Record<ActorName, Person>;
  for (const name of actorNames) people[name] = await addPerson(panel, name, server);
  return {
    panel,
    agentUrl: agent.url,
    people,
    missing: { account: randomUUID(), line: randomUUID(), server: randomUUID(), job: randomUUID() },
    stop: async () => {
      await panel.stop();
      await agent.close();
    },
  };
}
