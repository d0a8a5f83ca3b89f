// @module-tag thorough
import {
  type AccountAct,
  accountActs,
  ISSUANCE,
  SALES,
  sellers,
} from '@linekeeper/contract/accounts/accounts.ts';
import { can } from '@linekeeper/contract/permissions.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestClient, TestReply } from '../testing/client.ts';
import { signedIn } from '../testing/world/records.ts';
import { actorNames, makeWorld, type World } from '../testing/world/world.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
  const { people, panel } = world;
  // Three banned accounts: one was banned by an administrator, one by its owner, one by an account further above.
  await panel.admin.post(`/api/accounts/${people.beta.own.account}/ban`, {});
  await people.alpha.client.post(`/api/accounts/${people.alpha.own.account}/ban`, {});
});
afterAll(() => world?.stop());

type Try = (client: TestClient, id: string) => Promise<TestReply>;

/** Requests that can fail only because of the actor, or because there is nothing to do. */
const tries: Record<AccountAct, Try> = {
  addCredits: (client, id) => client.post(`/api/accounts/${id}/credits`, { amount: 1 }),
  takeBack: (client, id) => client.post(`/api/accounts/${id}/credits/take-back`, { amount: 1 }),
  setCredits: (client, id) =>
    client.send(
      'PUT',
      `/api/accounts/${id}/credits`,
      { credits: 5, note: 'x' },
      { 'idempotency-key': crypto.randomUUID() },
    ),
  edit: (client, id) => client.patch(`/api/accounts/${id}`, { notes: 'Seen' }),
  resetLink: (client, id) => client.post(`/api/accounts/${id}/reset-link`),
  move: (client, id) => client.patch(`/api/accounts/${id}`, { owner_id: null }),
  twoFactorOff: (client, id) => client.post(`/api/accounts/${id}/two-factor/disable`),
  ban: (client, id) => client.post(`/api/accounts/${id}/ban`, {}),
  unban: (client, id) => client.post(`/api/accounts/${id}/unban`, {}),
};

/**
 * These refusals are not about permissions: the account has no credits, no second step, or is the last administrator.
 */
const beside = ['INSUFFICIENT_CREDITS', 'TWO_FACTOR_IS_OFF', 'LAST_ADMIN'];

async function putBack(act: AccountAct, id: string, was: { banned: boolean; owner_id: unknown }) {
  const { db } = world.panel.services;
  const { banned } = was;
  const owner_id = was.owner_id as string | null;
  // The audit log also contains bans.
  if (act === 'ban' || act === 'unban') {
    await db.updateTable('auth_users').set({ banned }).where('id', '=', id).execute();
  }
  if (act === 'move') {
    await db.updateTable('auth_users').set({ owner_id }).where('id', '=', id).execute();
  }
}

/** Administrators come last, because their bans have priority over those of others. */
const actors = [...actorNames.filter((name) => !name.endsWith('admin')), 'admin'] as const;

test.each(actors)('what %s is offered with an account is what the calls allow', async (name) => {
  const { db } = world.panel.services;
  const { email: address, password } = world.people[name];
  // Earlier bans ended the sessions of the shared accounts.
  const client = await signedIn(world.panel, address, password);
  const list = await client.get('/api/accounts?limit=100');
  const items = await db
    .selectFrom('auth_users')
    .select(['id', 'email', 'banned', 'owner_id'])
    .where('id', 'not in', [ISSUANCE, SALES])
    .execute();
  const seen = new Map((list.body.items ?? []).map((one: { id: string }) => [one.id, one]));
  const wrong: string[] = [];
  let offers = 0;
  for (const { id, email, banned, owner_id } of items) {
    const account = seen.get(id) as { may: AccountAct[] } | undefined;
    for (const act of accountActs) {
      // Nobody bans a banned account, or lifts a ban that does not exist.
      if (act === (banned ? 'ban' : 'unban')) continue;
      await db.deleteFrom('rate_limits').execute();
      const { status, body } = await tries[act](client, id);
      const allowed = status < 300 || beside.includes(body.error?.code ?? body.code);
      const offered = account?.may.includes(act) ?? false;
      if (offered) offers += 1;
      if (allowed !== offered) {
        wrong.push(`${act} ${email}: offered ${offered}, ${status} ${JSON.stringify(body)}`);
      }
      await putBack(act, id, { banned, owner_id });
    }
  }
  expect(wrong).toEqual([]);
  expect(offers > 0).toBe(can(world.people[name], sellers));
});
