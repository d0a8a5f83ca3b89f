import { randomUUID } from 'node:crypto';
import type { Actor, Permission } from '@linekeeper/contract/permissions.ts';
import { fixedGroups } from '@linekeeper/contract/permissions.ts';
import type { TestClient } from '../client.ts';
import { holdChecks } from '../loops.ts';
import { startTestAgent, startTestPanel, type TestPanel } from '../panel.ts';
import {
  addActivationCode,
  addApiKey,
  addArticle,
  addAttachment,
  addAwaited,
  addBookEntry,
  addCannedReply,
  addContact,
  addEmptyGroup,
  addEndedJob,
  addMessage,
  addNotification,
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
} from './records.ts';

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

/** Ids that a request may name. Each account has an account and a line below it, and an ended job. */
export interface Targets {
  account: string;
  line: string;
  server: string;
  /** An awaited agent that has not called. */
  awaited: string;
  /** A sale paid by the account. */
  transfer: string;
  job: string;
  /** A group without members. Groups belong to nobody. */
  group: string;
  redeem_code: string;
  /** An unused activation code of the account itself, which cost nothing. */
  activation_code: string;
  /** A debt in the account's bookkeeping. */
  book_entry: string;
  /** A session of the account that the test does not use. */
  session: string;
  api_key: string;
  webhook: string;
  credit_package: string;
  /** A plan without lines. Plans belong to nobody. */
  plan: string;
  /** A list of the account's own; for administrators, a list of the panel. */
  price_list: string;
  /** A pending top-up of the account. */
  top_up: string;
  /** A message of the contact form. Such messages belong to nobody. */
  contact: string;
  /** A published article. Articles belong to nobody. */
  article: string;
  /** A message to the account. */
  message: string;
  notification: string;
  /** A ticket that the account has opened. */
  ticket: string;
  canned_reply: string;
  /** A file that is attached to the account's ticket. */
  attachment: string;
}

export interface Person extends Actor {
  name: ActorName;
  id: string;
  email: string;
  password: string;
  client: TestClient;
  /** True for a banned account; its session is from before the ban. */
  is_banned: boolean;
  own: Targets;
}

/**
 * A panel with all kinds of accounts: an administrator, a banned administrator, two unrelated
 * resellers (alpha and beta), a user of group 3 and accounts of custom groups.
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

async function addPerson(panel: TestPanel, name: ActorName, server: string): Promise<Person> {
  const group_id = groupOf(name);
  const isAdmin = group_id === '1';
  const account = await addAccount(panel, group_id, null);
  if (!isAdmin && name !== 'user') {
    await panel.admin.post(`/api/accounts/${account.id}/credits`, { amount: 100 });
  }
  const sold = await panel.admin.post('/api/lines', {
    username: `by-${name}`,
    password: `pw-of-${name}`,
    subscription_months: 1,
    owner_id: account.id,
  });
  const ticket = await addTicket(panel, account.id);
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
      activation_code: await addActivationCode(panel, account.id),
      book_entry: await addBookEntry(panel, account.id),
      session: await addSession(panel, account),
      api_key: await addApiKey(panel, account.id),
      webhook: await addWebhook(panel, account.id),
      credit_package: await addPackage(panel),
      plan: await addPlan(panel),
      price_list: await addPriceList(panel, isAdmin ? null : account.id),
      top_up: await addTopUp(panel, account.id),
      contact: await addContact(panel),
      article: await addArticle(panel),
      message: await addMessage(panel, account.id),
      notification: await addNotification(panel, account.id),
      ticket,
      attachment: await addAttachment(panel, account.id, ticket),
      canned_reply: await addCannedReply(panel),
      awaited: await addAwaited(panel),
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
      activation_code: randomUUID(),
      book_entry: randomUUID(),
      session: randomUUID(),
      api_key: randomUUID(),
      webhook: randomUUID(),
      credit_package: randomUUID(),
      plan: randomUUID(),
      price_list: randomUUID(),
      top_up: randomUUID(),
      contact: randomUUID(),
      article: randomUUID(),
      message: randomUUID(),
      notification: randomUUID(),
      ticket: randomUUID(),
      canned_reply: randomUUID(),
      awaited: randomUUID(),
      attachment: randomUUID(),
    },
    stop: async () => {
      await panel.stop();
      await agent.close();
    },
  };
}
