import {
  type Finding,
  finding as findingSchema,
  findingText,
} from '@linekeeper/contract/findings.ts';
import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { withEmptyDatabase } from '../testing/database/empty-database.ts';
import { databases } from '../testing/panel.ts';
import { migrate } from './migrate.ts';
import type { Db } from './transaction.ts';

vi.setConfig({ testTimeout: 60_000 });

/** Sentences about pushes as older versions stored them, with the operation. */
const pushes: [tried: string, message: string | null, Finding | null][] = [
  ['add', null, null],
  ...(
    [
      ['add', 'User was added to database but could not be added to CCcam server: '],
      ['edit', 'User was updated in database but could not be updated in CCcam server: '],
      ['renew', 'User was renewed in database but could not be renewed in CCcam server: '],
      ['delete', 'User was deleted from database but could not be deleted from CCcam server: '],
    ] as const
  ).flatMap(([operation, sentence]): [string, string, Finding][] =>
    ['connection refused', 'certificate not trusted', 'a reason of long ago: 7', ''].map(
      (reason) => [
        operation,
        sentence + reason,
        { code: 'PUSH_NOT_REACHED', data: { operation, reason } },
      ],
    ),
  ),
  [
    'add',
    'Failed to add user to CCcam server',
    { code: 'PUSH_REFUSED', data: { operation: 'add' } },
  ],
  [
    'edit',
    'Failed to update user in CCcam server',
    { code: 'PUSH_REFUSED', data: { operation: 'edit' } },
  ],
  [
    'renew',
    'Failed to renew user in CCcam server',
    { code: 'PUSH_REFUSED', data: { operation: 'renew' } },
  ],
  [
    'delete',
    'Failed to delete user from CCcam server',
    { code: 'PUSH_REFUSED', data: { operation: 'delete' } },
  ],
  // A change was queued again with another operation afterwards; the stored sentence decides.
  [
    'edit',
    'Failed to add user to CCcam server',
    { code: 'PUSH_REFUSED', data: { operation: 'add' } },
  ],
  ...[
    'Disk full',
    '',
    ' ',
    '{"code":"PUSH_REFUSED"}',
    'Failed to add user to CCcam server.',
    'failed to add user to cccam server',
    'Zażółć <b>gęślą</b> \\ % _ 🎉',
    'Sorry: User was added to database but could not be added to CCcam server: busy',
  ].map((words): [string, string, Finding] => [
    'delete',
    words,
    { code: 'PUSH_REFUSED', data: { operation: 'delete', words } },
  ]),
];

/** Sentences about servers as older versions stored them. */
const checks: [message: string | null, Finding | null][] = [
  [null, null],
  ...['connection timed out', 'unheard of', ''].map((reason): [string, Finding] => [
    `Failed to connect to server: ${reason}`,
    { code: 'NOT_REACHED', data: { reason } },
  ]),
  ['Health check failed with status: 503', { code: 'HEALTH_CHECK_FAILED', data: { status: 503 } }],
  [
    'Authentication failed with status: 401',
    { code: 'AUTHENTICATION_FAILED', data: { status: 401 } },
  ],
  [
    'CCcam server API is not responding. HTTP status: 0',
    { code: 'API_NOT_RESPONDING', data: { status: 0 } },
  ],
  [
    'API Authentication failed. HTTP status: 403',
    { code: 'API_AUTHENTICATION_FAILED', data: { status: 403 } },
  ],
  [
    'The card server has no list of its users. HTTP status: 404',
    { code: 'NO_USER_LIST', data: { status: 404 } },
  ],
  [
    'The card server has lost its accounts. Missing: 12345',
    { code: 'ACCOUNTS_LOST', data: { missing: 12345 } },
  ],
  [
    'Server configuration is incomplete. Missing fields: host_ip, port',
    { code: 'CONFIGURATION_INCOMPLETE', data: { fields: ['host_ip', 'port'] } },
  ],
  ...[
    '',
    'Something new',
    'Health check failed with status: ',
    'Health check failed with status: unknown',
    'Health check failed with status: 0503',
    'Health check failed with status: 99999999999999999999',
    'health check failed with status: 503',
    'Failed to connect to server',
    'Verbindung zum Server fehlgeschlagen 🎉',
  ].map((words): [string, Finding] => [words, { code: 'IN_OTHER_WORDS', data: { words } }]),
];

/** Sentences that newer versions word in another way. */
const reworded: Record<string, string> = {
  'The card server has no list of its users. HTTP status: 404':
    'The card server does not list its users. HTTP status: 404',
  'The card server has lost its accounts. Missing: 12345':
    'The card server has lost lines. Missing: 12345',
};
const inWordsOfNow = (message: string | null) => message && (reworded[message] ?? message);

const idOf = (number: number) => `01a1fd85-0000-7000-8000-${String(number).padStart(12, '0')}`;

async function storeSentences(db: Db): Promise<void> {
  for (const [number, [message]] of checks.entries()) {
    await sql`insert into cccam_servers (id, server_name, host_ip, port, api_port, api_scheme,
        username, password, protocol, status_message)
      values (${idOf(number)}, 'One', '127.0.0.1', 12000, 1, 'http', 'panel', 'sealed', 'CCcam',
        ${message})`.execute(db);
    await sql`insert into server_checks (id, server_id, status, message)
      values (${idOf(number)}, ${idOf(0)}, 'error', ${message})`.execute(db);
  }
  for (const [number, [tried, message]] of pushes.entries()) {
    await sql`insert into server_accounts (server_id, username, operation, last_message)
      values (${idOf(0)}, ${`name-${number}`}, ${tried}, ${message})`.execute(db);
  }
}

/** The stored findings, in the order of insertion. */
async function readFindings(db: Db) {
  const { rows: servers } = await sql<{ found: Finding | null }>`
    select status_finding as found from cccam_servers order by id`.execute(db);
  const { rows: history } = await sql<{ found: Finding | null }>`
    select finding as found from server_checks order by id`.execute(db);
  const { rows: accounts } = await sql<{ found: Finding | null }>`
    select last_finding as found from server_accounts
      order by substr(username, 6)::integer`.execute(db);
  const found = (rows: { found: Finding | null }[]) => rows.map((row) => row.found);
  return { servers: found(servers), history: found(history), accounts: found(accounts) };
}

describe.each(databases)('stored sentences, on %s', (kind) => {
  test('become findings that say the same', () =>
    withEmptyDatabase(kind, async (db) => {
      await migrate(db, '0011_lost_accounts');
      await storeSentences(db);
      await migrate(db);
      const { servers, history, accounts } = await readFindings(db);
      expect(servers).toEqual(checks.map(([, finding]) => finding));
      expect(history).toEqual(servers);
      expect(accounts).toEqual(pushes.map(([, , finding]) => finding));
      const said = (all: (Finding | null)[]) =>
        all.map((one) => one && findingText(findingSchema.parse(one)));
      expect(said(servers)).toEqual(checks.map(([message]) => inWordsOfNow(message)));
      expect(said(accounts)).toEqual(pushes.map(([, message]) => message));
    }));
});
