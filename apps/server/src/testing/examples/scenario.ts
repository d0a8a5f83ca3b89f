import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAgent } from '@linekeeper/agent/agent.ts';
import { addDays, today } from '@linekeeper/contract/dates.ts';
import { sql } from 'kysely';
import { version } from '../../platform/config/version.ts';
import { basicAuth } from '../../platform/http-client/request.ts';
import type { TestClient } from '../client.ts';
import { eventually } from '../eventually.ts';
import { upload } from '../files.ts';
import { holdChecks } from '../held/held-checks.ts';
import { jobEnd } from '../jobs.ts';
import { startMailbox } from '../mailbox.ts';
import { ADMIN, startTestPanel } from '../panel.ts';
import { deliver, StripeServer } from '../payments/stripe-server.ts';
import { codeOf, forgetUsedCodes, turnOn } from '../two-factor.ts';
import { type Example, Recorder } from './recorder.ts';

const TIME_ZONE = 'Europe/Berlin';
const LOGIN = { username: 'panel', password: 'amber-kettle-40' };
const KAETHE = { email: 'kaethe@panel.example', password: 'tulip-harbor-22' };
const RUI = { email: 'rui@panel.example', password: 'quiet-lantern-7' };
const ANNA = { email: 'anna@panel.example', password: 'copper-meadow-3' };

/** A panel with mail, card payments and two card servers, and everybody who makes calls. */
async function openShop() {
  const mailbox = await startMailbox();
  const stripe = await new StripeServer().start();
  const panel = await startTestPanel('postgres', {
    SMTP_URL: mailbox.url,
    TIME_ZONE,
    PUBLIC_URL: 'https://panel.example',
    ...stripe.env,
  });
  await holdChecks(panel.services.db);
  const folder = await mkdtemp(join(tmpdir(), 'linekeeper-examples-'));
  const openAgent = (name: string, port = 0) =>
    startAgent({ ...LOGIN, dir: join(folder, name), port, timeZone: TIME_ZONE });
  const frankfurt = await openAgent('frankfurt');
  const warsaw = await openAgent('warsaw');
  return {
    panel,
    mailbox,
    stripe,
    frankfurt,
    warsaw,
    file: join(folder, 'frankfurt', 'CCcam.cfg'),
    stop: async () => {
      await panel.stop();
      await Promise.all([frankfurt.close(), warsaw.close(), mailbox.close(), stripe.stop()]);
      await rm(folder, { recursive: true });
    },
  };
}

type Shop = Awaited<ReturnType<typeof openShop>>;
const only = (id: string) => ({ params: { id } });
const two = { query: { limit: '2' } };

/** Makes every call of the contract once, as its people would, and returns what was said. */
export async function recordExamples(): Promise<Record<string, Example>> {
  const shop = await openShop();
  const recorder = new Recorder();
  try {
    const servers = await openServers(shop, recorder);
    const secrets = await awaitAgent(shop, recorder);
    const people = await openAccounts(shop, recorder);
    const day = today(TIME_ZONE);
    const line = await sellLines(recorder, people);
    await workOnMany(shop, recorder, people, servers, line);
    await lookAtServers(shop, recorder, servers);
    await moveCredits(shop, recorder, people);
    await payForCredits(shop, recorder, people);
    await helpPeople(shop, recorder, people);
    await lookBack(shop, recorder, people, line);
    await signInAndOut(shop, recorder, people, addDays(day, 365));
    await removeRest(shop, recorder, people, servers, line);
    const portOf = (url: string) => new URL(url).port;
    return recorder.all(
      new Map([
        ...secrets,
        [shop.panel.url, 'https://panel.example'],
        [shop.stripe.url, 'https://checkout.stripe.com'],
        [shop.frankfurt.url, 'http://203.0.113.10:3000'],
        [shop.warsaw.url, 'http://203.0.113.20:3000'],
        [`"api_port":${portOf(shop.frankfurt.url)}`, '"api_port":3000'],
        [`"api_port":${portOf(shop.warsaw.url)}`, '"api_port":3000'],
        ['"host_ip":"127.0.0.1"', '"host_ip":"203.0.113.10"'],
        ['127.0.0.1', '203.0.113.77'],
        [ADMIN.password, 'silver-orchard-5'],
      ]),
    );
  } finally {
    await shop.stop();
  }
}

async function openServers({ panel: { admin }, frankfurt, warsaw }: Shop, recorder: Recorder) {
  const bank_details = 'Account holder: Whitfield Lines Ltd\nIBAN: DE02 1203 0000 0000 2020 51';
  await recorder.call(admin, 'editMe', { body: { full_name: 'Tom Whitfield', username: 'tom' } });
  await recorder.call(admin, 'editSettings', {
    body: { site_name: 'Whitfield Lines', bank_details, trial_days: 2, sign_up_open: true },
  });
  await recorder.call(admin, 'getSettings');
  const configuration = (url: string) => ({
    host_ip: '127.0.0.1',
    port: 12000,
    api_port: Number(new URL(url).port),
    ...LOGIN,
  });
  await recorder.call(admin, 'testServerConfiguration', { body: configuration(frankfurt.url) });
  const add = async (server_name: string, url: string, public_host: string) => {
    const body = { server_name, public_host, ...configuration(url) };
    const { server } = await recorder.call(admin, 'createServer', { body });
    await recorder.call(admin, 'testServer', only(server.id));
    return server.id as string;
  };
  return {
    warsaw: await add('Warsaw 1', warsaw.url, 'waw1.panel.example'),
    frankfurt: await add('Frankfurt 1', frankfurt.url, 'fra1.panel.example'),
  };
}

/** A server whose agent calls the panel; returns what the examples show in place of its key and password. */
async function awaitAgent({ panel }: Shop, recorder: Recorder): Promise<Map<string, string>> {
  const { admin } = panel;
  const { awaited, command } = await recorder.call(admin, 'awaitServer', { body: {} });
  const key = /KEY=(\S+)/.exec(command)?.[1] ?? '';
  const body = { key, api_port: 3000, protocol: 'CCcam', port: 12000, agent_version: version };
  const card = panel.anonymous();
  const { password } = await recorder.call(card, 'callAwaitedServer', { body });
  await recorder.call(card, 'readyAwaitedServer', { body: { key } });
  await recorder.call(admin, 'testAwaitedServer', only(awaited.id));
  await recorder.call(admin, 'getAwaitedServer', only(awaited.id));
  const { server } = await recorder.call(admin, 'addAwaitedServer', {
    ...only(awaited.id),
    body: { server_name: 'Warsaw 2', public_host: 'waw2.panel.example', port: 12000 },
  });
  await admin.send('DELETE', `/api/servers/${server.id}`);
  return new Map([
    [key, 'XXXX-XXXX-XXXX-XXXX-XXXX'],
    [password, 'XxxxX77xxXXxxx7xXXxxX7xxXXxx7xXx'],
  ]);
}

async function openAccounts({ panel }: Shop, recorder: Recorder) {
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
  const permissions = ['view_users', 'add_credits'];
  const { group } = await recorder.call(admin, 'createGroup', {
    body: { name: 'Partners', description: 'Resellers with a contract', permissions },
  });
  await recorder.call(admin, 'editGroup', { ...only(group.id), body: { name: 'Partner shops' } });
  await recorder.call(admin, 'listGroups', two);
  await recorder.call(admin, 'deleteGroup', only(group.id));
  return { kaethe, rui };
}

type People = Awaited<ReturnType<typeof openAccounts>>;
type Servers = Awaited<ReturnType<typeof openServers>>;

async function sellLines(recorder: Recorder, { kaethe: { client } }: People): Promise<string> {
  const call = (name: string, sent?: Example) => recorder.call(client, name, sent);
  await call('listPrices');
  await call('serverChoices');
  await call('serverAddress');
  await call('nextLineName');
  await call('checkLineName', { body: { username: 'mueller-tv' } });
  await call('quoteLine', {
    body: { action: 'create', username: 'mueller-tv', subscription_months: 6 },
  });
  const sell = async (username: string, months: number, more: object = {}) => {
    const password = `${username}-4711`;
    const body = { username, password, subscription_months: months, ...more };
    return (await call('createLine', { body })).line.id as string;
  };
  const line = await sell('mueller-tv', 6, { name: 'Jürgen Müller', notes: 'Pays in cash' });
  await sell('cafe-nord', 3, { company: 'Café Nord' });
  await sell('hotel-adria', 12);
  await call('createLine', {
    body: { username: 'praxis-vogel', password: 'praxis-vogel-4711', is_trial: true },
  });
  await call('listLines', { query: { limit: '2', status: 'active', sort: 'expiry_date' } });
  await call('getLine', only(line));
  await call('lineServer', only(line));
  await call('lineState', only(line));
  await call('lookUpLines', { body: { usernames: ['praxis-vogel', 'no-line-of-mine'] } });
  await call('lineReceivers', only(line));
  await call('revealLine', only(line));
  await call('syncLine', only(line));
  await call('editLine', { ...only(line), body: { notes: 'Pays by transfer', name: 'J. Müller' } });
  await call('renewLine', { ...only(line), body: { subscription_months: 3 } });
  await call('suspendLine', { ...only(line), body: { reason: 'Not paid' } });
  await call('resumeLine', { ...only(line), body: { reason: 'Paid today' } });
  await call('countLines');
  await call('countLineChoices');
  await call('linesCsv', { query: { status: 'active,expired' } });
  await call('proposeLineName', only(line));
  return line;
}

async function workOnMany(
  { panel }: Shop,
  recorder: Recorder,
  { kaethe }: People,
  servers: Servers,
  line: string,
): Promise<void> {
  const call = (name: string, sent?: Example) => recorder.call(kaethe.client, name, sent);
  const { job } = await call('bulkLines', {
    body: { action: 'renew', ids: [line], subscription_months: 1 },
  });
  await jobEnd(kaethe.client, job.id);
  await call('getJob', { ...only(job.id), query: { items: 'all' } });
  await call('jobCsv', { ...only(job.id), query: { list: 'results' } });
  await call('listJobs');
  const undone = await call('undoJob', only(job.id));
  await jobEnd(kaethe.client, undone.job.id);
  // One that no worker has begun, so that it can be cancelled at leisure.
  await sql`
    insert into jobs (id, account_id, action, state, arguments, total)
      select gen_random_uuid(), account_id, action, 'queued', arguments, 120
        from jobs where id = ${job.id}`.execute(panel.services.db);
  const { items } = (await kaethe.client.get('/api/jobs')).body;
  const waiting = items.find(({ state }: { state: string }) => state === 'queued');
  await call('cancelJob', only(waiting.id));
  const move = { ...only(servers.warsaw), body: { to_server_id: servers.frankfurt } };
  await panel.admin.post('/api/lines', {
    username: 'salon-ania',
    password: 'salon-ania-4711',
    subscription_months: 12,
    server_id: servers.warsaw,
  });
  const moved = await recorder.call(panel.admin, 'moveLines', move);
  await jobEnd(panel.admin, moved.job_id);
  const list = await recorder.call(panel.admin, 'jobCustomers', {
    ...only(moved.job_id),
    query: { told: 'false' },
  });
  const line_ids = list.items.map(({ line_id }: { line_id: string }) => line_id);
  await recorder.call(panel.admin, 'markTold', {
    ...only(moved.job_id),
    body: { line_ids, is_told: true },
  });
}

async function lookAtServers(
  { panel, frankfurt, file }: Shop,
  recorder: Recorder,
  { frankfurt: id }: Servers,
): Promise<void> {
  const { admin } = panel;
  const call = (name: string, sent?: Example) => recorder.call(admin, name, sent);
  await call('listServers', two);
  await call('getServer', only(id));
  await call('editServer', { ...only(id), body: { max_lines: 500, repair_automatically: true } });
  await call('checkServers');
  await call('reloadServer', only(id));
  await call('testCall', { body: { server_id: id, call: 'health' } });
  await call('serverCustomers', { ...only(id), query: { host: 'fra2.panel.example' } });
  await call('serverCustomersCsv', { ...only(id), query: { host: 'fra2.panel.example' } });
  await call('listServerChecks', { ...only(id), query: { hours: '24' } });
  await call('serverHealth', { ...only(id), query: { range: '24h' } });
  await call('serversHealth');
  // Rows that the operator wrote into the card server's file.
  await appendFile(file, 'F: kiosk-south kiosk-south-4711 1 0 0\n');
  const kiosk = { username: 'kiosk-south', password: 'kiosk-south-4711' };
  await admin.post('/api/lines', { ...kiosk, subscription_months: 1, server_id: id });
  await call('listPushes', two);
  await call('takeOverRows', only(id));
  await call('retryPushes', { body: { all: true } });
  const meddle = (method: string, path: string, body: object) =>
    fetch(frankfurt.url + path, {
      method,
      headers: { authorization: basicAuth(LOGIN), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  for (const username of ['kino-bajka', 'bar-molo']) {
    const left = { username, password: `${username}-4711`, expiryDate: '31-12-2030' };
    await meddle('POST', '/add-user', left);
  }
  await sql`update orphan_looks set next_look_at = now()`.execute(panel.services.db);
  await call('lookForOrphans');
  const { items } = await call('listOrphans', two);
  await call('adoptOrphans', { body: { ids: [items[0].id] } });
  await call('removeOrphans', { body: { ids: [items[1].id] } });
  await meddle('DELETE', '/delete-user', { username: 'kiosk-south' });
  await call('compareServer', only(id));
  await call('mendServer', { ...only(id), body: { remove_unknown: false } });
  const { db } = panel.services;
  await sql`update cccam_servers set status = 'error' where id = ${id}`.execute(db);
  await call('listOutages');
  await sql`update cccam_servers set status = 'active' where id = ${id}`.execute(db);
}

async function moveCredits(
  { panel: { admin } }: Shop,
  recorder: Recorder,
  { kaethe, rui }: People,
): Promise<void> {
  const own = (name: string, sent?: Example) => recorder.call(kaethe.client, name, sent);
  const account = only(rui.id);
  await own('addCredits', { ...account, body: { amount: 10, note: 'Order 4711' } });
  await own('takeBackCredits', { ...account, body: { amount: 5, note: 'Sent twice' } });
  await recorder.call(admin, 'setCredits', {
    ...account,
    body: { credits: 30, note: 'Agreed with Rui' },
  });
  await own('accountFigures', account);
  await own('listTransfers', two);
  await own('transfersCsv');
  const { items } = (await admin.get('/api/credits/transfers?kind=sale')).body;
  const paid = items.find(({ is_refundable }: { is_refundable: boolean }) => is_refundable);
  await recorder.call(admin, 'refundTransfer', { ...only(paid.id), body: { note: 'Complaint' } });
  await recorder.call(admin, 'verifyLedger');
  const { codes } = await recorder.call(admin, 'createRedeemCodes', {
    body: { credits: 10, count: 2, description: 'Spring campaign', max_uses: 1 },
  });
  await own('redeem', { body: { code: codes[0].code } });
  await own('listRedemptions', two);
  await recorder.call(admin, 'editRedeemCode', {
    ...only(codes[1].id),
    body: { is_active: false },
  });
  await recorder.call(admin, 'listRedeemCodes', two);
  await recorder.call(admin, 'redeemCodesCsv');
  await recorder.call(admin, 'deleteRedeemCode', only(codes[1].id));
}

async function payForCredits(
  { panel, stripe }: Shop,
  recorder: Recorder,
  { kaethe: { client } }: People,
): Promise<void> {
  const { admin } = panel;
  const offer = { name: '100 credits', credits: 100, price_minor: 9500, currency: 'EUR' };
  const made = await recorder.call(admin, 'createPackage', { body: offer });
  const { id } = made.package;
  await recorder.call(admin, 'editPackage', { ...only(id), body: { price_minor: 9000 } });
  await recorder.call(client, 'listPackages');
  const order = async (more: object) =>
    (await recorder.call(client, 'orderTopUp', { body: { package_id: id, ...more } })).id as string;
  const approved = await order({ note: 'Transfer of today' });
  await recorder.call(admin, 'approveTopUp', { ...only(approved), body: { also_closed: false } });
  const reason = 'No transfer arrived in 14 days';
  await recorder.call(admin, 'rejectTopUp', { ...only(await order({})), body: { reason } });
  await recorder.call(client, 'withdrawTopUp', only(await order({})));
  const card = await order({ method: 'card' });
  const { url } = await recorder.call(client, 'checkOutTopUp', only(card));
  await deliver(panel.url, stripe.pay(stripe.idIn(url), { amount_total: 4500 }));
  await recorder.call(client, 'listTopUps', two);
  await recorder.call(client, 'topUpsCsv');
  await recorder.call(admin, 'resolveTopUp', {
    ...only(card),
    body: { note: 'Paid back in the dashboard of Stripe' },
  });
  await recorder.call(admin, 'deletePackage', only(id));
}

async function helpPeople(
  { panel }: Shop,
  recorder: Recorder,
  { kaethe: { client, id: kaethe } }: People,
): Promise<void> {
  const { admin } = panel;
  const own = (name: string, sent?: Example) => recorder.call(client, name, sent);
  const by = (name: string, sent?: Example) => recorder.call(admin, name, sent);
  const visitor = panel.anonymous();
  const uploaded = async (content: string) => {
    const { body } = await upload(client, content, 'receiver.txt');
    recorder.keep('uploadAttachment', { reply: body });
    return body.attachment.id as string;
  };
  const file = await uploaded('The picture freezes at 20:15\n');
  const spare = await uploaded('The picture freezes at 20:45\n');
  const { ticket } = await own('createTicket', {
    body: {
      title: 'Two lines drop out in the evening',
      description: '**cafe-nord** and **hotel-adria** lose the picture for a second.',
      category: 'technical',
      attachment_ids: [file],
    },
  });
  await by('createTicketReply', {
    ...only(ticket.id),
    body: { content: 'Both are on Frankfurt 1 now. Please look again tonight.' },
  });
  await own('listTicketReplies', only(ticket.id));
  await own('readTicket', only(ticket.id));
  await by('editTicket', { ...only(ticket.id), body: { status: 'pending', priority: 'high' } });
  await own('getTicket', only(ticket.id));
  await own('listTickets', two);
  await own('countTickets');
  await own('getAttachment', only(file));
  await own('deleteAttachment', only(spare));
  const { canned_reply } = await by('createCannedReply', {
    body: { title: 'Restart the receiver', content: 'Switch the receiver off for a minute.' },
  });
  await by('editCannedReply', { ...only(canned_reply.id), body: { title: 'Restart' } });
  await by('listCannedReplies');
  await by('deleteCannedReply', only(canned_reply.id));
  await by('deleteTicket', only(ticket.id));
  const { message } = await by('createMessage', {
    body: {
      title: 'Warsaw 1 is serviced on Sunday',
      content: 'From 4:00 to 5:00 its lines may be interrupted.',
      is_global: true,
    },
  });
  await own('countUnreadMessages');
  await own('listMessages', two);
  await own('getMessage', only(message.id));
  await own('readMessage', only(message.id));
  await own('readAllMessages');
  await by('deleteMessage', only(message.id));
  await own('countUnreadNotifications');
  const { items } = await own('listNotifications', two);
  await own('readNotification', only(items[0].id));
  await own('readAllNotifications');
  const { article } = await by('createArticle', {
    body: {
      title: 'When a line expires',
      body: 'A line works until the **end of its last day**.',
      category: 'lines',
      locale: 'en',
      is_published: true,
    },
  });
  await by('editArticle', { ...only(article.id), body: { position: 3 } });
  await own('getArticle', only(article.id));
  await own('listArticles', { query: { locale: 'en', limit: '2', q: 'expires' } });
  await own('rateArticle', { ...only(article.id), body: { helpful: true } });
  await by('deleteArticle', only(article.id));
  await recorder.call(visitor, 'sendContact', {
    body: {
      name: 'Grażyna Szczęsna',
      email: 'grazyna@panel.example',
      subject: 'Invoice',
      message: 'Please send me the invoice of my last order.',
      language: 'pl',
    },
  });
  const { items: letters } = await by('listContact', two);
  await by('editContact', { ...only(letters[0].id), body: { answer: 'It is on its way.' } });
  await recorder.call(visitor, 'getGeo');
  await recorder.call(visitor, 'publicSettings');
  await own('editPreferences', {
    body: { language: 'de', reminder_days: [7, 1], lists: { lines: { density: 'compact' } } },
  });
  await own('getPreferences');
  await own('getMe');
  await own('getDashboard');
  await by('previewBan', only(kaethe));
}

async function lookBack(
  { panel: { admin } }: Shop,
  recorder: Recorder,
  { kaethe, rui }: People,
  line: string,
): Promise<void> {
  const by = (name: string, sent?: Example) => recorder.call(admin, name, sent);
  await recorder.call(kaethe.client, 'lineActivity', { ...only(line), ...two });
  await by('accountActivity', { ...only(rui.id), ...two });
  await by('listAudit', two);
  await by('auditCsv');
  await by('checkSeals');
  await by('getSealState');
  await by('getSetup');
  await by('getConnection');
  await by('applyMigrations');
}

async function signInAndOut(
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
  const { id: key } = await own('createApiKey', { body: { name: 'Web shop', expires_at } });
  await own('listApiKeys');
  await own('deleteApiKey', only(key));
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

async function removeRest(
  { panel: { admin } }: Shop,
  recorder: Recorder,
  { kaethe, rui }: People,
  { warsaw }: Servers,
  line: string,
): Promise<void> {
  await recorder.call(kaethe.client, 'deleteLine', only(line));
  await recorder.call(admin, 'banAccount', { ...only(rui.id), body: { suspend_lines: true } });
  await recorder.call(admin, 'unbanAccount', { ...only(rui.id), body: { resume_lines: true } });
  // The lines moved away are removed in the background.
  await eventually(async () => {
    const { deletions_due } = (await admin.get(`/api/servers/${warsaw}`)).body;
    if (deletions_due > 0) throw new Error(`${deletions_due} deletions are due`);
  });
  await recorder.call(admin, 'deleteServer', { ...only(warsaw), query: { force: 'false' } });
  await recorder.call(kaethe.client, 'signOut');
}
