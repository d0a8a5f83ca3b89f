import { sql } from 'kysely';
import { codeOf, forgetUsedCodes, turnOn } from '../accounts/two-factor.ts';
import type { TestClient } from '../client.ts';
import type { TestPanel } from '../panel.ts';
import { browserKeys } from '../web-push/push-service.ts';
import type { Example, Recorder } from './recorder.ts';
import { only, type Shop, two } from './shop.ts';

const KAETHE = { email: 'kaethe@panel.example', password: 'tulip-harbor-22' };
const RUI = { email: 'rui@panel.example', password: 'quiet-lantern-7' };
const ANNA = { email: 'anna@panel.example', password: 'copper-meadow-3' };

export async function openAccounts({ panel }: Shop, recorder: Recorder) {
  const { admin } = panel;
  const made = async (by: TestClient, body: Record<string, unknown> & typeof RUI) => {
    const { account } = await recorder.call(by, 'createAccount', { body });
    const client = panel.anonymous();
    await client.signIn(body.email, body.password);
    return { ...body, id: account.id as string, client };
  };
  const kaethe = await made(admin, {
    ...KAETHE,
    full_name: 'Käthe Weiß',
    group_id: '2',
    credits: 200,
  });
  const rui = await made(kaethe.client, {
    ...RUI,
    full_name: 'Rui Carvalho',
    group_id: '2',
    credits: 20,
  });
  const account = { params: { id: rui.id } };
  await recorder.call(kaethe.client, 'editAccount', {
    ...account,
    body: { full_name: 'Rui Carvalho', notes: 'Pays on the first of the month' },
  });
  await recorder.call(kaethe.client, 'getAccount', account);
  await recorder.call(admin, 'listAccounts', { query: { limit: '2', sort: '-credits' } });
  await recorder.call(admin, 'accountsCsv');
  await recorder.call(admin, 'importAccounts', {
    body: {
      preview: true,
      rows: [
        { email: 'ada@panel.example', full_name: 'Ada Hill', group: 'Resellers', credits: '50' },
        { email: 'ben@panel.example', owner: 'ada@panel.example' },
        { email: 'kaethe@panel.example', full_name: 'Käthe Schwarz' },
        { email: 'no-group@panel.example', group: 'Partners' },
      ],
    },
  });
  const permissions = ['view_users', 'add_credits'];
  const { group } = await recorder.call(admin, 'createGroup', {
    body: { name: 'Partners', description: 'Resellers with a contract', permissions },
  });
  await recorder.call(admin, 'editGroup', { ...only(group.id), body: { name: 'Partner shops' } });
  await recorder.call(admin, 'listGroups', two);
  await recorder.call(admin, 'deleteGroup', only(group.id));
  return { kaethe, rui };
}

async function showWebhooks(
  { services: { db } }: TestPanel,
  recorder: Recorder,
  { client }: { client: TestClient },
): Promise<void> {
  const url = 'https://shop.example/webhooks';
  const events = ['line.created', 'line.renewed', 'line.expired'];
  const { id } = await recorder.call(client, 'createWebhook', { body: { url, events } });
  const { id: delivery } = await db
    .insertInto('webhook_deliveries')
    .values({
      webhook_id: id,
      event: 'line.created',
      data: '{}',
      attempts: 1,
      next_try_at: null,
      tried_at: sql<Date>`now()`,
      response_code: 503,
      response: 'The shop is closed',
      ms: 120,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await recorder.call(client, 'listWebhooks');
  await recorder.call(client, 'editWebhook', { ...only(id), body: { events: ['line.created'] } });
  await recorder.call(client, 'listDeliveries', only(id));
  await recorder.call(client, 'redeliver', { params: { id, delivery } });
  await recorder.call(client, 'rotateWebhook', only(id));
  await recorder.call(client, 'deleteWebhook', only(id));
}

export type People = Awaited<ReturnType<typeof openAccounts>>;

export async function signInAndOut(
  { panel, mailbox }: Shop,
  recorder: Recorder,
  { kaethe, rui }: People,
  inAYear: unknown,
): Promise<void> {
  const { admin } = panel;
  const { db } = panel.services;
  const visitor = panel.anonymous();
  const own = (name: string, sent?: Example) => recorder.call(kaethe.client, name, sent);
  await recorder.call(visitor, 'signUp', { body: { ...ANNA, name: 'Anna Hill' } });
  const token = await mailbox.tokenFor(ANNA.email);
  await recorder.call(visitor, 'confirmEmail', { body: { token, password: ANNA.password } });
  await recorder.call(visitor, 'signIn', { body: KAETHE });
  const { url } = await own('createResetLink', only(rui.id));
  const reset = new URL(url).searchParams.get('token');
  const new_password = 'quiet-lantern-8';
  await recorder.call(visitor, 'resetPassword', { body: { token: reset, new_password } });
  await rui.client.signIn(RUI.email, new_password);
  await recorder.call(visitor, 'requestPasswordReset', { body: { email: RUI.email } });
  await own('getSession');
  const expires_at = String(inAYear);
  const scopes = ['read', 'sell'];
  const { id: key } = await own('createApiKey', { body: { name: 'Web shop', scopes, expires_at } });
  await own('listApiKeys');
  await own('deleteApiKey', only(key));
  await showWebhooks(panel, recorder, kaethe);
  const subscribed = await kaethe.client.post('/api/me/push', {
    endpoint: 'https://127.0.0.1/push',
    keys: browserKeys,
  });
  const endpoint = 'https://push.example/wpush/v2/gAAAAABm';
  recorder.keep('subscribeToPush', {
    body: { endpoint, expirationTime: null, keys: browserKeys },
    reply: subscribed.body,
  });
  await own('getPush');
  await own('unsubscribeFromPush');
  const other = panel.anonymous();
  await other.signIn(KAETHE.email, KAETHE.password);
  const { items } = await own('listSessions');
  const another = items.find(({ is_current }: { is_current: boolean }) => !is_current);
  await own('endSession', only(another.id));
  await own('endOtherSessions');
  await own('changeEmail', {
    body: { current_password: KAETHE.password, new_email: 'weiss@panel.example' },
  });
  await own('getEmailChange');
  await own('cancelEmailChange');
  await own('changePassword', {
    body: { current_password: KAETHE.password, new_password: 'tulip-harbor-23' },
  });
  const password = 'tulip-harbor-23';
  const { secret } = await own('enableTwoFactor', { body: { password } });
  await own('verifyTwoFactor', { body: { code: await codeOf(db, secret) } });
  await own('getTwoFactor');
  await own('newRecoveryCodes', { body: { password } });
  await forgetUsedCodes(db);
  const second = panel.anonymous();
  const { challenge } = (await second.signIn(KAETHE.email, password)).body;
  const kept = await second.send('POST', '/api/auth/two-factor/pending', { challenge });
  recorder.keep('keepSecondStep', { body: { challenge }, reply: kept.body });
  second.cookie = kept.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  await recorder.call(second, 'getSecondStep');
  await recorder.call(second, 'twoFactorSignIn', {
    body: { challenge, code: await codeOf(db, secret) },
  });
  await forgetUsedCodes(db);
  await own('disableTwoFactor', { body: { password, code: await codeOf(db, secret) } });
  await turnOn(db, { ...rui, password: new_password });
  await recorder.call(admin, 'getAccountTwoFactor', only(rui.id));
  await recorder.call(admin, 'disableAccountTwoFactor', only(rui.id));
}
