import pg from 'pg';
import { injections } from '../../apps/server/src/testing/wire/script-injections.ts';
import { lineDetailNames, lineDetails } from '../../packages/contract/src/fields/line-details.ts';
import { accounts } from './people.ts';

/** The details of a line that can be any text; the database checks the others. */
const textDetails = lineDetailNames.filter((name) =>
  ['text', 'lines', 'email', 'url'].includes(lineDetails[name].kind),
);

/** Fields that people, card servers or browsers fill in, and that a screen shows. */
const fields = {
  groups: ['name', 'description'],
  auth_users: ['full_name', 'username', 'avatar_url', 'notes'],
  auth_sessions: ['user_agent'],
  cccam_servers: ['server_name', 'host_ip', 'username'],
  users: ['username', ...textDetails],
  line_pushes: ['username'],
  server_accounts: ['username'],
  credit_transfers: ['note', 'username'],
  credit_packages: ['name'],
  top_ups: ['package_name', 'note'],
  redeem_codes: ['code', 'description'],
  redeem_code_history: ['code'],
  notifications: ['title', 'content'],
  messages: ['title', 'content'],
  articles: ['title', 'body', 'body_text'],
  tickets: ['title', 'description'],
  ticket_replies: ['content'],
  ticket_notes: ['content'],
  canned_replies: ['title', 'content'],
  attachments: ['name'],
  activation_codes: ['note'],
  book_entries: ['username'],
  webhooks: ['url'],
  webhook_deliveries: ['response', 'reason'],
  contact_messages: ['name', 'email', 'subject', 'message'],
} as const;

/** The texts for a number of rows, which together contain all forty injections. */
function textsFor(rows: number): string[] {
  const shared = Array.from({ length: rows }, (_, row) =>
    injections.filter((_text, index) => index % rows === row).join('\n\n'),
  );
  return shared.map((text, row) => text || `${injections[row % injections.length]} ${row}`);
}

async function fill(client: pg.Client, table: string, column: string): Promise<void> {
  const { rows } = await client.query(`select count(*)::int as count from ${table}`);
  if (rows[0].count === 0) throw new Error(`${table} has no row to write to`);
  await client.query(
    `update ${table} as written set ${column} = given.text
      from (select ctid as place, row_number() over () as row from ${table}) as numbered
      join unnest($1::text[]) with ordinality as given (text, row) using (row)
      where written.ctid = numbered.place`,
    [textsFor(rows[0].count)],
  );
}

const everything = injections.join('\n\n');

/** A finding that contains a text as it is. */
const IN_OTHER_WORDS = `jsonb_build_object('code', 'IN_OTHER_WORDS', 'data', jsonb_build_object('words', $1::text))`;

/** Fields that have more than a text, or must be empty in some rows. */
const structured: [sql: string, values: unknown[]][] = [
  [`update cccam_servers set status_finding = ${IN_OTHER_WORDS}`, [everything]],
  [`update server_checks set finding = ${IN_OTHER_WORDS}`, [everything]],
  [
    `update server_accounts set last_finding = jsonb_build_object('code', 'PUSH_REFUSED',
      'data', jsonb_build_object('operation', operation, 'words', $1::text))`,
    [everything],
  ],
  // Some of the lines are not on their server, so that the sync page shows them.
  [`update server_accounts set revision = revision + 1 where username like $1`, ['%onerror%']],
  [
    `update auth_users set email = id || $1
      where email <> all (array[${Object.values(accounts).map(({ email }) => `'${email}'`)}])`,
    ['<img src=x onerror=window.pwn=1>'],
  ],
  [
    `update contact_messages set answer = $1, status = 'answered', answered_at = now(),
      answered_by = (select id from auth_users where email = '${accounts.admin.email}')`,
    [everything],
  ],
  [`update top_ups set reason = $1 where status = 'rejected'`, [everything]],
  [
    `update users set host_port = array[$1::text],
      suspension = jsonb_set(suspension, '{reason}', to_jsonb($1))`,
    [everything],
  ],
  [
    `update users set status = jsonb_build_array(jsonb_build_object('label', $1::text, 'color', $1))
      where suspension is null`,
    [everything],
  ],
  [
    `update audit_log set
      before = jsonb_build_object($1::text, $1, 'title', $1, 'status', $1, 'locale', $1),
      after = jsonb_build_object($1, '', 'title', '', 'owner_id', actor_id),
      data = jsonb_build_object($1, $1)`,
    [everything],
  ],
  [
    `update ticket_replies set event = jsonb_build_object('field', 'assigned_to', 'from', $1::text, 'to', $1)
      where kind = 'event'`,
    [everything],
  ],
  [
    `insert into account_texts (account_id, texts)
      select id, jsonb_build_object('handover', words, 'reminder', words, 'page',
        jsonb_build_object('name', $1::text, 'words', words))
      from auth_users, jsonb_build_object('en', $1::text, 'de', $1, 'pl', $1, 'pt', $1) as words
      on conflict (account_id) do update set texts = excluded.texts`,
    [everything],
  ],
  [
    `insert into settings (key, value) values ('site_name', to_jsonb($1::text)),
      ('legal_notice', to_jsonb($1)), ('articles_public', 'true')
      on conflict (key) do update set value = excluded.value`,
    [everything],
  ],
];

/** Fields with one text in each row, for screens with many rows. */
const moreRows = [
  `insert into ticket_replies (id, ticket_id, position, kind, user_id, is_admin, content)
    select gen_random_uuid(), tickets.id, 1000 + n, 'reply', user_id, false, ''
    from tickets, generate_series(1, ${injections.length}) as n`,
  `insert into ticket_notes (id, ticket_id, position, user_id, content)
    select gen_random_uuid(), id, 2000, user_id, '' from tickets`,
  // A picture, which is shown, and a text for each ticket and for each of its notes.
  `insert into attachments (id, account_id, name, type, size, width, height, is_whole, ticket_id)
    select gen_random_uuid(), user_id, '', 'image/gif', 34, 1, 1, true, id from tickets
    union all select gen_random_uuid(), user_id, '', 'text/plain', 34, null, null, true, id
    from tickets`,
  `insert into attachments (id, account_id, name, type, size, is_whole, ticket_id, note_id)
    select gen_random_uuid(), user_id, '', 'application/pdf', 34, true, ticket_id, id
    from ticket_notes`,
  `insert into attachment_chunks (attachment_id, position, bytes)
    select id, 0, '\\x47494638396101000100800000000000ffffff2c000000000100010000020144003b'
    from attachments where name = ''`,
  `insert into book_entries (id, account_id, line_id, username, state, amount_minor, currency)
    select gen_random_uuid(), owner_id, id, '', 'owes', 1200, 'EUR' from users`,
  `insert into webhooks (id, account_id, url, events, secret)
    select gen_random_uuid(), id, '', '{line.created}', '' from auth_users`,
  `insert into webhook_deliveries (webhook_id, event, data, next_try_at, tried_at)
    select id, 'line.created', '{}', null, now() from webhooks`,
  `insert into messages (id, title, content, is_global, created_by, state, publish_at)
    select gen_random_uuid(), '', '', true, id, 'published', now()
    from auth_users, generate_series(1, 20) where email = '${accounts.admin.email}'`,
];

/** Writes values directly into the database, both those that the API accepts and those that it would refuse. */
export async function writeInjections(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    // Triggers would refuse changes of the ledger and of the audit log, so they are off.
    await client.query('set session_replication_role = replica');
    for (const statement of moreRows) await client.query(statement);
    for (const [table, columns] of Object.entries(fields)) {
      for (const column of columns) await fill(client, table, column);
    }
    for (const [statement, values] of structured) await client.query(statement, values);
  } finally {
    await client.end();
  }
}
