import { sql } from 'kysely';
import { jobEnd } from '../jobs.ts';
import { holdPushes } from '../loops.ts';
import type { People } from './accounts.ts';
import type { Example, Recorder } from './recorder.ts';
import { allDelivered, type Servers } from './servers.ts';
import { only, type Shop } from './shop.ts';

/** Reads a seller's book, settles a debt, and reminds the customer of a line. */
export async function keepBook(recorder: Recorder, { kaethe: { client } }: People): Promise<void> {
  const call = (name: string, sent?: Example) => recorder.call(client, name, sent);
  const { owed } = await call('readBook');
  await call('bookCsv');
  await call('editBookEntry', { ...only(owed.items[0].id), body: { state: 'paid' } });
  const soon = (await client.get('/api/lines?sort=expiry_date&limit=1')).body.items[0].id;
  await call('markReminded', { ...only(soon), body: { way: 'whatsapp' } });
  await call('listReminders');
  await call('lineReminders', only(soon));
}

export async function sellLines(
  recorder: Recorder,
  { kaethe: { client } }: People,
): Promise<string> {
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
  await call('lineUsage', { ...only(line), query: { days: '2' } });
  await call('endSessions', only(line));
  await call('lookUpLines', { body: { usernames: ['praxis-vogel', 'no-line-of-mine'] } });
  await call('lineReceivers', only(line));
  await call('revealLine', only(line));
  await call('syncLine', only(line));
  const customer = {
    name: 'J. Müller',
    phone: '+49 30 5550 0142',
    price_minor: 3000,
    currency: 'EUR',
  };
  await call('editLine', { ...only(line), body: { notes: 'Pays by transfer', customer } });
  const payment = { state: 'owes', amount_minor: 3000, currency: 'EUR' };
  await call('renewLine', { ...only(line), body: { subscription_months: 3, payment } });
  await call('setAutoRenewal', { ...only(line), body: { months: 1 } });
  const { url } = await call('makeLinePage', only(line));
  const page = new URL(url).pathname;
  await fetch(client.url + page);
  await fetch(`${client.url}${page}/renewal`, { method: 'POST', redirect: 'manual' });
  await call('askedLines');
  await call('withdrawLinePage', only(line));
  await call('suspendLine', { ...only(line), body: { reason: 'Not paid' } });
  await call('resumeLine', { ...only(line), body: { reason: 'Paid today' } });
  await call('countLines');
  await call('countLineChoices');
  await call('linesCsv', { query: { status: 'active,expired' } });
  await call('proposeLineName', only(line));
  return line;
}

export async function workOnMany(
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
  await allDelivered(panel);
  await call('getJob', { ...only(job.id), query: { items: 'all' } });
  await call('jobCsv', { ...only(job.id), query: { list: 'results' } });
  await call('listJobs');
  const undone = await call('undoJob', only(job.id));
  await jobEnd(kaethe.client, undone.job.id);
  const rows = [{ username: 'hotel-mare', password: 'hotel-mare-4711', subscription_months: '1' }];
  const off = rows.map((row) => ({ ...row, is_suspended: 'yes' }));
  const held = await holdPushes(panel.services.db, ['hotel-mare']);
  const imported = (await kaethe.client.post('/api/lines/bulk', { action: 'import', rows: off }))
    .body;
  const { items: made } = await jobEnd(kaethe.client, imported.job.id);
  await call('undoLine', only(made[0]?.line_id ?? ''));
  await held.release();
  await allDelivered(panel);
  // The job stays queued, so that it can be cancelled later.
  await sql`
    insert into jobs (id, account_id, action, state, arguments, total, claimed_until)
      select gen_random_uuid(), account_id, action, 'queued', arguments, 120, now() + interval '1 minute'
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
  await allDelivered(panel);
  const list = await recorder.call(panel.admin, 'jobCustomers', {
    ...only(moved.job_id),
    query: { told: 'false' },
  });
  await recorder.call(panel.admin, 'customersToTell');
  const line_ids = list.items.map(({ line_id }: { line_id: string }) => line_id);
  await recorder.call(panel.admin, 'markTold', {
    ...only(moved.job_id),
    body: { line_ids, is_told: true },
  });
}
