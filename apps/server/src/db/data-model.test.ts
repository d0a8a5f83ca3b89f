import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { makeMigratedDatabase } from '../testing/process/process.ts';
import { connectEmbedded } from './connect.ts';

const page = fileURLToPath(new URL('../../../../docs/explanation/data-model.md', import.meta.url));

/** Every table with what one row of it is, by subject. */
const subjects: Record<string, Record<string, string>> = {
  Accounts: {
    auth_users: 'an account, with its balance',
    groups: 'a set of permissions',
    account_tree: 'a pair of an account and one above it',
    account_figures: 'how many lines and accounts an account has',
    account_settings: 'what an account chose for its pages, notices and reminders',
    auth_credentials: 'a password hash',
    auth_sessions: 'a browser that is signed in',
    api_keys: 'a key for scripts, as a hash',
    two_factor: 'the secret of an authenticator app',
    recovery_codes: 'a code for a lost phone, as a hash',
    one_time_tokens: 'a token of a link, or of a sign-in that waits for its second step, as a hash',
    two_factor_challenges: 'such a sign-in, for panels of 1.1.0',
    password_reset_links: 'a link for a new password, for panels of 1.1.0',
    email_changes: 'a new email that waits for its confirmation, for panels of 1.1.0',
    rate_limits: 'how often one subject failed within a window',
    idempotency_keys: 'a change that was sent with a key, and its reply',
  },
  'Lines and delivery': {
    users: 'a line',
    trials_made: 'a trial that an account made',
    machines: 'a card server',
    cccam_servers: 'an entry for a card server: its address, and what customers enter',
    awaited_servers:
      'a card server whose agent is awaited, for the first time or again, with its one-time key as a hash',
    server_accounts: 'what a server should have for one name, and has',
    line_pushes: 'the latest delivery of a line',
    server_checks: 'an answer of a server to the check of each minute',
    server_check_hours: 'the answers of an hour, counted',
    server_incidents: 'a time in which a server was away',
    server_presence: 'what a server last said of who is on',
    server_presence_hours: 'the readings of an hour, counted',
    line_presence: 'a line that was on, and whether it is',
    line_usage_hours: 'what a line did in an hour, counted',
    server_orphans: 'an account on a server that the panel does not know',
    orphan_looks: 'a search for such accounts',
    jobs: 'bulk work, an import or an export',
    job_items: 'one line of a job',
    told_customers: 'a customer who must change the receiver since a job, and has the message',
    reminded_owners: 'a reminder of expiring lines that was sent',
  },
  Credits: {
    credit_transfers: 'a movement of credits',
    sold_terms: 'the months that a transfer paid for',
    redeem_codes: 'a code that gives credits',
    redeem_code_history: 'a code that somebody redeemed',
    credit_packages: 'a number of credits on sale',
    top_ups: 'an order of credits',
    top_up_returns: 'credits of an order that went back',
    card_payments: 'a payment by card',
    card_reversals: 'a refund or a dispute of one',
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
    attachment_chunks: 'a part of its content',
    contact_messages: 'a message from the contact form',
    articles: 'an article of the knowledge base',
    article_feedback: 'whether an article helped somebody',
    article_vocabulary: 'empty: panels of 1.5 read it',
    shipped_articles: 'an article that came with the panel',
    messages: 'a message to accounts',
    message_readers: 'an account that gets a message about a server',
    message_reads: 'who has read it',
    message_marks: 'up to when an account has read everything',
    message_mails: 'a message that is also mailed',
    notifications: 'a notice of the bell',
  },
  Operation: {
    settings: 'a setting of the whole panel',
    mails: 'a mail that waits to be sent',
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
  const { env, remove } = await makeMigratedDatabase('embedded');
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
    await remove();
  }
}

function section([subject, rows]: [string, Record<string, string>], references: Reference[]) {
  const arrows = references
    .filter(({ child }) => child in rows)
    .map(({ child, parent, columns }) => `  ${parent} ||--o{ ${child} : "${columns}"`);
  const list = Object.entries(rows).map(([name, row]) => `| \`${name}\` | ${row} |`);
  return [
    `## ${subject}`,
    ['```mermaid', 'erDiagram', ...arrows, '```'].join('\n'),
    ['| Table | A row is |', '|---|---|', ...list].join('\n'),
  ].join('\n\n');
}

test('docs/explanation/data-model.md shows the tables and keys that there are', async () => {
  const { tables, references } = await readSchema();
  const described = Object.values(subjects).flatMap((rows) => Object.keys(rows));
  expect(described.toSorted()).toEqual(
    tables.filter((name) => !name.startsWith('schema_migrations')),
  );
  const text = [
    '# Data model',
    'Made from the schema by its test: `node_modules/.bin/node node_modules/.bin/vitest run data-model -u` writes this page again. An arrow is a foreign key.',
    'Some tables keep names of older versions: `users` are lines, and `auth_users` are accounts\n' +
      '([Glossary](../reference/glossary.md)).',
    ...Object.entries(subjects).map((subject) => section(subject, references)),
  ].join('\n\n');
  await expect(`${text}\n`).toMatchFileSnapshot(page);
});
