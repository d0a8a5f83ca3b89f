import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { makeMigratedDatabase } from '../testing/process/process.ts';
import { connectEmbedded } from './connect.ts';

const pageOf = (name: string) =>
  fileURLToPath(new URL(`../../../../docs/explanation/${name}.md`, import.meta.url));

/** The tables in the picture on the page of the architecture. */
const pictured = [
  'groups',
  'auth_users',
  'users',
  'machines',
  'cccam_servers',
  'server_accounts',
  'plans',
  'plan_servers',
  'line_presence',
  'jobs',
  'job_items',
  'credit_transfers',
  'top_ups',
  'tickets',
  'ticket_replies',
  'messages',
];

/** The meaning of one row of each table, by subject. */
const subjects: Record<string, Record<string, string>> = {
  Accounts: {
    auth_users: 'an account, with its balance',
    groups: 'a set of permissions',
    account_tree: 'a pair of an account and one above it',
    account_figures: 'how many lines and accounts an account has',
    account_limits: 'limits of an account and those below it',
    account_settings: 'the choices of an account for its pages, notifications and reminders',
    account_texts: 'the texts with which an account writes to customers',
    auth_credentials: 'a password hash',
    auth_sessions: 'a browser that is signed in',
    push_subscriptions: 'a browser that shows the notifications of an account',
    api_keys: 'a key for scripts, as a hash',
    webhooks: 'an address that events are sent to',
    webhook_deliveries: 'an event for a webhook, and its latest attempt',
    two_factor: 'the secret of an authenticator app',
    recovery_codes: 'a code for a lost phone, as a hash',
    one_time_tokens: 'a token of a link, or of a sign-in that waits for its second step, as a hash',
    rate_limits: 'how often one subject failed within a window',
    idempotency_keys: 'a change that was sent with a key, and its reply',
  },
  'Lines and delivery': {
    users: 'a line',
    line_pages: "the page of a line's customer, whose link is stored as a hash",
    trials_made: 'a trial that an account created',
    machines: 'a card server',
    cccam_servers: 'an entry for a card server: its address, and the address for customers',
    awaited_servers:
      'a card server whose agent has not called yet, for the first time or again, with its one-time key as a hash',
    server_accounts: 'the wanted and the delivered state of one name on a server',
    line_pushes: 'the latest delivery of a line',
    server_checks: 'the result of a check, once a minute',
    server_check_hours: 'the checks of an hour, counted',
    server_incidents: 'a time in which a server was down',
    server_presence: 'the last report of a server on who is online',
    server_presence_hours: 'the reports of an hour, counted',
    line_presence: 'a line that was online, and whether it still is',
    line_usage_hours: 'the use of a line in an hour, counted',
    server_orphans: 'an account on a server that the panel does not know',
    orphan_looks: 'a search for such accounts',
    jobs: 'bulk work, an import or an export',
    job_items: 'one line of a job',
    told_customers: 'a customer who was notified that a job changed the receiver settings',
    reminded_owners: 'a reminder of expiring lines that was sent',
    reminders: 'a reminder to the customer of a line',
  },
  Credits: {
    credit_transfers: 'a movement of credits',
    plans: 'what lines cost, and where they are',
    plan_servers: 'a server of a plan, and what its lines may do there',
    price_lists: 'prices for accounts below an account',
    book_entries: "an entry of a seller's bookkeeping: what a customer paid or owes",
    sold_terms: 'the months that a transfer paid for',
    redeem_codes: 'a code that gives credits',
    redeem_code_history: 'a code that was redeemed',
    activation_codes: 'a code with which a customer creates a line',
    credit_packages: 'a number of credits on sale',
    top_ups: 'an order of credits',
    top_up_returns: 'credits of an order that went back',
    card_payments: 'a payment by card',
    card_reversals: 'a refund or a dispute of a card payment',
    stripe_events: 'a message from Stripe that was applied',
    credit_seals: 'a seal over transfers',
    credit_sealed: 'a transfer and its seal',
  },
  Support: {
    tickets: 'a ticket',
    ticket_replies: 'a reply',
    ticket_notes: 'a note that only administrators see',
    ticket_reads: 'how far an account has read a ticket',
    ticket_numbers: 'the number of the next ticket',
    canned_replies: 'a prepared reply',
    attachments: 'a file of a reply',
    attachment_chunks: 'a part of the content of a file',
    contact_messages: 'a message from the contact form',
    articles: 'an article of the knowledge base',
    article_feedback: 'whether an article helped somebody',
    shipped_articles: 'an article that came with the panel',
    messages: 'a message to accounts',
    message_readers: 'an account that gets a message about a server',
    message_reads: 'an account that has read a message',
    message_marks: 'the time up to which an account has read everything',
    message_mails: 'a message that is also sent by email',
    notifications: 'a notification',
  },
  Operation: {
    settings: 'a setting of the whole panel',
    mails: 'an email that is to be sent',
    web_pushes: 'a notification that is to be sent to a browser',
    schedules: 'when background work last ran',
    backup_runs: 'a scheduled backup',
    audit_log: 'who changed what',
    audit_seals: 'a seal over entries',
    audit_sealed: 'an entry and its seal',
    seal_cuts: 'where a shortened audit log starts',
    seal_checks: 'a check of all seals',
  },
};

interface Reference {
  child: string;
  parent: string;
  columns: string;
}

async function readSchema(): Promise<{ tables: string[]; references: Reference[] }> {
  const { env } = await makeMigratedDatabase('embedded');
  const connection = await connectEmbedded(env.DATA_DIR ?? '');
  try {
    const { rows: tables } = await sql<{ name: string }>`
      select relname as name from pg_class
        where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`.execute(
      connection.db,
    );
    const { rows: references } = await sql<Reference>`
      select conrelid::regclass::text as child, confrelid::regclass::text as parent,
          (select string_agg(attname, ', ' order by place)
            from unnest(conkey) with ordinality as key (number, place)
            join pg_attribute on attrelid = conrelid and attnum = number) as columns
        from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace
        order by 2, 1, 3`.execute(connection.db);
    return { tables: tables.map(({ name }) => name), references };
  } finally {
    await connection.close();
  }
}

const arrow = ({ parent, child, columns }: Reference) =>
  `  ${parent} ||--o{ ${child} : "${columns}"`;

function section([subject, rows]: [string, Record<string, string>], references: Reference[]) {
  const arrows = references.filter(({ child }) => child in rows).map(arrow);
  const list = Object.entries(rows).map(([name, row]) => `| \`${name}\` | ${row} |`);
  return [
    `## ${subject}`,
    ['```mermaid', 'erDiagram', ...arrows, '```'].join('\n'),
    ['| Table | A row is |', '|---|---|', ...list].join('\n'),
  ].join('\n\n');
}

test('the pages of the data model and the architecture show the tables and keys that there are', async () => {
  const { tables, references } = await readSchema();
  const described = Object.values(subjects).flatMap((rows) => Object.keys(rows));
  expect(described.toSorted()).toEqual(
    tables.filter((name) => !name.startsWith('schema_migrations')),
  );
  const text = [
    '# Data model',
    'This page is generated from the schema by its test, `node_modules/.bin/node node_modules/.bin/vitest run data-model -u`. An arrow\n' +
      'is a foreign key. [Architecture](architecture.md#data-model) has a smaller picture.',
    'Some tables keep names of older versions: `users` are lines, and `auth_users` are accounts\n' +
      '([Glossary](../reference/glossary.md)).',
    ...Object.entries(subjects).map((subject) => section(subject, references)),
  ].join('\n\n');
  await expect(`${text}\n`).toMatchFileSnapshot(pageOf('data-model'));

  const shown = references.filter(
    ({ child, parent }) => pictured.includes(child) && pictured.includes(parent),
  );
  const joined = Object.values(
    Object.groupBy(shown, ({ child, parent }) => `${parent} ${child}`),
  ).map(([first, ...others] = []) => ({
    parent: first?.parent ?? '',
    child: first?.child ?? '',
    columns: [first, ...others].map((reference) => reference?.columns).join(', '),
  }));
  const architecture = readFileSync(pageOf('architecture'), 'utf8');
  const picture = ['erDiagram', ...joined.map(arrow)].join('\n');
  const [before = '', after = ''] = architecture.split(/(?<=```mermaid\n)erDiagram\n[^`]*/);
  await expect(`${before}${picture}\n${after}`).toMatchFileSnapshot(pageOf('architecture'));
});
