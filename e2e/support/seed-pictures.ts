import { Api } from './api.ts';
import { storeDirectly } from './database.ts';
import { panelUrl } from './panel.ts';
import { accounts } from './people.ts';
import { storePresence } from './presence.ts';

/**
 * SQL that stores the checks of a day, one for each half hour: all are successful, but Leeds 1 has
 * been offline for four hours.
 */
const halfHours = `
  insert into server_checks (id, server_id, status, latency_ms, checked_at)
  select gen_random_uuid(), server.id, case when is_away then 'error' else 'active' end,
      case when not is_away then 2 + part * 7 % 3
        + case when server_name = 'Warsaw 2' and part in (9, 10, 11) then 40 else 0 end end,
      now() - part * interval '30 minutes'
    from cccam_servers as server, generate_series(1, 47) as part,
      lateral (select server_name = 'Leeds 1' and part < 8 as is_away)
    where server.status <> 'inactive'`;

/** SQL that stores the checks of the days before, of which two had a short outage. */
const hours = `
  insert into server_check_hours (server_id, hour, checks, failed, latency_ms)
  select id, date_trunc('hour', now()) - part * interval '1 hour', 60,
      case when server_name = 'Warsaw 2' and part in (150, 420) then 12 else 0 end,
      2 + part * 5 % 3
    from cccam_servers, generate_series(25, 29 * 24) as part where status <> 'inactive'`;

const incidents = [
  `update server_incidents set began_at = now() - interval '3 hours 42 minutes', failed = 31
    where ended_at is null`,
  `insert into server_incidents (id, server_id, began_at, ended_at, failed, finding)
    select gen_random_uuid(), id, now() - part * interval '1 hour',
        now() - part * interval '1 hour' + interval '12 minutes', 12,
        (select finding from server_incidents limit 1)
      from cccam_servers, unnest(array[150, 420]) as part where server_name = 'Warsaw 2'`,
];

/**
 * SQL that puts the administrator's name into the events of tickets, because the administrator had
 * none when the ticket was assigned.
 */
const assigned = `
  update ticket_replies set event = replace(event::text, 'Administrator', '${accounts.admin.full_name}')::jsonb
    where kind = 'event'`;

/** SQL that moves the sales of one minute to the days of a month. The ledger refuses changes except to a replica. */
const sales = [
  "set session_replication_role = 'replica'",
  `update credit_transfers set created_at = created_at - interval '29 days'
    where kind not in ('sale', 'renewal')`,
  `update credit_transfers set created_at = created_at - numbered.place * 7 % 27 * interval '1 day'
    from (select id, row_number() over (order by created_at) as place
      from credit_transfers where kind in ('sale', 'renewal')) as numbered
    where numbered.id = credit_transfers.id`,
  "update auth_users set created_at = created_at - interval '7 months'",
  `update users set added_date = sale.created_at::date, created_at = sale.created_at
    from credit_transfers as sale where sale.kind = 'sale' and sale.line_id = users.id`,
];

/** Usernames of lines that a reseller sells, each with the months of the sale. */
const sold: [username: string, months: number][] = [
  ['pension-see', 12],
  ['l.baumann', 6],
  ['p.zajac', 3],
  ['casa-verde', 12],
  ['n.fischer', 1],
  ['o.lewandowski', 6],
  ['studio-alfa', 24],
  ['i.matos', 3],
  ['villa-rosa', 12],
  ['w.krause', 1],
];

/** Stores the data of a panel that was used for weeks. The browser tests use another panel, whose counts they know. */
export async function seedPictures(): Promise<void> {
  const admin = await new Api(panelUrl).signIn(accounts.admin);
  await admin.patch('/api/me', { full_name: accounts.admin.full_name });
  await admin.post('/api/messages', {
    title: 'Prices from 1 December',
    content: 'Twelve months cost **10 credits** as before. New: *24 months for 15 credits*.',
    is_global: true,
  });
  await admin.post('/api/messages', {
    title: 'Leeds 1 is away',
    content:
      'The host replaces a power supply. Lines on Leeds 1 work again by **22:00**.\n\n' +
      '- New lines go to Frankfurt 1 and Warsaw 2.\n- Nobody needs a new password.',
    is_global: true,
  });
  const { price_list } = await admin.post('/api/price-lists', { name: 'Partners', factor: 0.9 });
  const [partner] = (await admin.get(`/api/accounts?q=${accounts.user.email}`)).items;
  await admin.patch(`/api/accounts/${partner.id}`, { price_list_id: price_list.id });
  const seller = await new Api(panelUrl).signIn(accounts.reseller);
  for (const [username, subscription_months] of sold) {
    await seller.post('/api/lines', { username, password: 'tulip-harbor', subscription_months });
  }
  await storeDirectly(
    [...sales, halfHours, hours, ...incidents, assigned].map((statement) => [statement, []]),
  );
  await storePresence();
}
