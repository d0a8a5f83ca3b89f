// `npm run import -- <file>`: adopts the lines or accounts of a CCcam.cfg, an oscam.user or a CSV file.
// Nothing is charged. Without --apply it only says what it would do. Each row is adopted in a
// transaction of its own, so that a run which was cut short is completed by the next.
import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Day, today } from '@linekeeper/contract/dates.ts';
import { ADMIN_GROUP, type Permission } from '@linekeeper/contract/permissions.ts';
import { readDay } from '@linekeeper/line-files/day-of-cell.ts';
import { type CodePage, codePages } from '@linekeeper/line-files/decode.ts';
import { UnreadableRow } from '@linekeeper/line-files/faults.ts';
import { type FoundLine, refuseDuplicates, summarise } from '@linekeeper/line-files/found-line.ts';
import pino from 'pino';
import type { Connection } from '../db/connect.ts';
import { type Db, transact } from '../db/transaction.ts';
import type { SignedIn } from '../domain/context/access.ts';
import type { Services } from '../domain/context/context.ts';
import { rowsText, sayOfFile } from '../domain/import/file-report.ts';
import { type FoundAccount, type Outcome, RowFault, rowFault } from '../domain/import/outcome.ts';
import { type Format, type FoundFile, formats, readFoundFile } from '../domain/import/read-file.ts';
import { findActiveServer, findOwner } from '../domain/import/references.ts';
import { adoptAccount } from '../features/accounts/adopt-account.ts';
import { adoptLine, isSound } from '../features/lines/adopt/adopt-line.ts';
import { type Config, readConfig } from '../platform/config/config.ts';
import { errorMessage } from '../platform/errors/error-message.ts';
import { Refusal } from '../platform/errors/refusal.ts';
import { checkSecretKey } from '../platform/keys/key-check.ts';
import { createServices } from '../services.ts';
import { openDatabase, refuseMissingDatabase, requiredKey, updateSchema } from './open-database.ts';
import { runCommand, say } from './run-command.ts';

const USAGE =
  'Say which file: npm run import -- <file> [--format cccam|oscam|csv|accounts] ' +
  '[--owner <email>] [--server <name>] [--expiry <day>] [--switched-off suspended] ' +
  '[--encoding windows-1250|windows-1252] [--apply]';
/** Exit code where rows were refused or differ, and all others are as they should be. */
const SOME_LEFT_OUT = 2;

const unreadable = new Map([
  ['ENOENT', 'there is no such file'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'permission denied'],
]);

interface Asked {
  file: string;
  format: Format | null;
  owner: string | undefined;
  server: string | undefined;
  expiry: string | undefined;
  codePage: CodePage | undefined;
  /** Lines behind a comment sign are adopted as suspended ones. */
  takesSwitchedOff: boolean;
  isApplied: boolean;
}

function readArguments(): Asked {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...{ format: text, owner: text, server: text, expiry: text, encoding: text },
      ...{ 'switched-off': text, existing: text, apply: { type: 'boolean' } },
    },
  });
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new Error(USAGE);
  const { format: named, owner, server, expiry, encoding, apply: isApplied = false } = values;
  const switchedOff = values['switched-off'];
  const format = formats.find((one) => one === named) ?? null;
  if (named !== undefined && format === null) {
    throw new Error(`--format is one of ${formats.join(', ')}`);
  }
  const codePage = codePages.find((one) => one.toLowerCase() === encoding?.toLowerCase());
  if (encoding !== undefined && codePage === undefined) {
    throw new Error(`--encoding is one of ${codePages.join(', ').toLowerCase()}`);
  }
  if (switchedOff !== undefined && switchedOff !== 'suspended') {
    throw new Error('--switched-off is suspended, or left out');
  }
  if (values.existing !== undefined) {
    throw new Error(
      'Lines that exist are extended under Lines, Import, or by POST /api/lines/bulk',
    );
  }
  // npm runs commands in the folder of the clone, wherever they were called.
  return {
    file: resolve(process.env.INIT_CWD ?? '.', file),
    format,
    owner,
    server,
    expiry,
    codePage,
    takesSwitchedOff: switchedOff !== undefined,
    isApplied,
  };
}

/** Throws a sentence that names the file. */
function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const reason = unreadable.get(code) ?? errorMessage(error);
    throw new Error(`${file} cannot be read: ${reason}`, { cause: error });
  }
}

/** Whom the audit log names: the one of ADMIN_EMAIL, or the first administrator. */
async function readAdministrator(db: Db, { admin_email }: Config): Promise<SignedIn> {
  const administrators = await db
    .selectFrom('auth_users')
    .innerJoin('groups', 'groups.id', 'auth_users.group_id')
    .select(['auth_users.id', 'email', 'group_id', 'is_admin', 'groups.permissions'])
    .where('group_id', '=', ADMIN_GROUP)
    .where('banned', '=', false)
    .orderBy('auth_users.created_at')
    .orderBy('auth_users.id')
    .execute();
  const [first] = administrators;
  if (!first) throw new Error('This panel has no administrator: start it once');
  const named = administrators.find(({ email }) => email === admin_email?.toLowerCase());
  const { permissions, ...administrator } = named ?? first;
  return { ...administrator, permissions: permissions as Permission[] };
}

/** Counts the outcomes and says what is to be said of single rows. */
class Report {
  readonly counts = { new: 0, same: 0, differs: 0, elsewhere: 0, refused: 0 };

  /** null where the row was refused. */
  async add(row: number, work: () => Promise<Outcome>): Promise<Outcome | null> {
    try {
      const outcome = await work();
      this.counts[outcome.kind]++;
      if (outcome.kind === 'new' && outcome.warning) say(`Row ${row}: ${outcome.warning}`);
      if (outcome.kind === 'differs') {
        say(`Row ${row}: already there with another ${outcome.fields.join(', ')}; not changed`);
      }
      if (outcome.kind === 'elsewhere') {
        const { server, wanted, fields } = outcome;
        const more = fields.length > 0 ? ` with another ${fields.join(', ')}` : '';
        say(`Row ${row}: already there on ${server}${more}, and not on ${wanted}; not changed`);
      }
      if (outcome.kind === 'new' && outcome.what) say(`Row ${row}: ${outcome.what}`);
      return outcome;
    } catch (error) {
      if (!(error instanceof RowFault || error instanceof Refusal)) throw error;
      this.counts.refused++;
      const field = error instanceof RowFault && error.field !== '' ? `, ${error.field}` : '';
      say(`Row ${row}${field}: ${error.message}`);
      return null;
    }
  }

  end(isApplied: boolean): void {
    const { new: added, same, differs, elsewhere, refused } = this.counts;
    const parts = [
      `${added} new`,
      `${same} already there`,
      `${differs} ${differs === 1 ? 'differs and was' : 'differ and were'} not changed`,
      ...(elsewhere > 0 ? [`${elsewhere} on another server`] : []),
      ...(refused > 0 ? [`${refused} refused`] : []),
    ];
    say(`${isApplied ? '' : 'Dry run: '}${parts.join(', ')}`);
    if (!isApplied && added > 0)
      say('Nothing was written. To adopt them, run it again with --apply');
    if (differs + elsewhere + refused > 0) process.exitCode = SOME_LEFT_OUT;
  }
}

/** Throws a RowFault for the second row with one email. */
function refuseTwin(seen: Map<string, number>, email: string, number: number): void {
  const row = seen.get(email);
  if (row !== undefined) throw new RowFault('email', `The same email is in row ${row}`);
  if (email !== '') seen.set(email, number);
}

async function adoptLines(
  services: Services,
  rows: readonly FoundLine[],
  asked: Asked,
  expiry: Day | null,
  actor: SignedIn,
): Promise<Report> {
  const { db } = services;
  const { owner, server, isApplied } = asked;
  const defaults = {
    actor_id: actor.id,
    owner_id: owner === undefined ? actor.id : await findOwner(db, owner),
    server_id: server === undefined ? undefined : await findActiveServer(db, server),
    expiry,
    file: basename(asked.file),
  };
  const report = new Report();
  const endless: number[] = [];
  const { namesAlike } = summarise(rows);
  for (const found of rows) {
    const alike = namesAlike.find((group) => group.includes(found.number)) ?? [];
    const others = alike.filter((row) => row !== found.number);
    const outcome = await report.add(found.number, () =>
      transact(db, (tx) => adoptLine(tx, services, found, defaults, isApplied, others)),
    );
    if (outcome?.kind === 'new' && found.expiry === null) endless.push(found.number);
  }
  if (endless.length > 0) {
    const get = isApplied ? 'got' : 'get';
    say(`No end in the file, so they ${get} ${expiry}: ${rowsText(endless)}`);
  }
  return report;
}

/** Owners come before those below them, however the file orders them. */
function ownersFirst(rows: readonly FoundAccount[]): FoundAccount[] {
  const emailOf = (text: string | null) => text?.trim().toLowerCase() ?? '';
  // Of rows with one email the first counts, and is set last.
  const byEmail = new Map(rows.toReversed().map((row) => [emailOf(row.email), row]));
  const sorted = new Set<FoundAccount>();
  const begun = new Set<FoundAccount>();
  const visit = (row: FoundAccount) => {
    if (begun.has(row)) return;
    begun.add(row);
    const owner = byEmail.get(emailOf(row.owner));
    if (owner) visit(owner);
    sorted.add(row);
  };
  for (const row of rows) visit(row);
  return [...sorted];
}

async function adoptAccounts(
  { db }: Services,
  rows: readonly FoundAccount[],
  { owner, file, isApplied }: Asked,
  actor: SignedIn,
): Promise<Report> {
  const owner_id = owner === undefined ? null : await findOwner(db, owner);
  const defaults = { actor, owner_id, file: basename(file) };
  const report = new Report();
  const seen = new Map<string, number>();
  const planned = new Set<string>();
  for (const found of ownersFirst(rows)) {
    const email = found.email.trim().toLowerCase();
    await report.add(found.number, async () => {
      refuseTwin(seen, email, found.number);
      const outcome = await adoptAccount(db, found, defaults, isApplied, planned);
      planned.add(email);
      return outcome;
    });
  }
  return report;
}

/** Throws a sentence. */
function readDefaultDay(text: string | undefined, timeZone: string): Day | null {
  try {
    return text === undefined ? null : readDay(text, timeZone);
  } catch (error) {
    throw error instanceof UnreadableRow ? new Error(rowFault(error.fault).message) : error;
  }
}

type FoundLines = FoundFile & { kind: 'lines' };

/** Lines in the order of the file. */
function linesOf({ rows, switchedOff }: FoundLines, { takesSwitchedOff }: Asked): FoundLine[] {
  const all = takesSwitchedOff ? [...rows, ...switchedOff] : rows;
  return refuseDuplicates(all.toSorted((one, other) => one.number - other.number));
}

async function adopt(config: Config, connection: Connection, found: FoundFile, asked: Asked) {
  const { db } = connection;
  await updateSchema(db);
  const services = createServices(
    config,
    connection,
    requiredKey(config),
    pino({ level: 'silent' }),
  );
  await checkSecretKey(db, services.secrets);
  const actor = await readAdministrator(db, config);
  const expiry = readDefaultDay(asked.expiry, config.time_zone);
  const lines = found.kind === 'lines' ? linesOf(found, asked) : [];
  const rows = found.kind === 'lines' ? lines.length : found.rows.length;
  const kind = rows === 1 ? found.kind.slice(0, -1) : found.kind;
  say(`${asked.file}: ${found.format}, ${rows} ${kind}`);
  const sound = lines.filter((line) => isSound(line, expiry));
  for (const text of sayOfFile(found, sound, asked)) say(text);
  const report =
    found.kind === 'lines'
      ? await adoptLines(services, lines, asked, expiry, actor)
      : await adoptAccounts(services, found.rows, asked, actor);
  report.end(asked.isApplied);
}

await runCommand(async () => {
  const asked = readArguments();
  const config = readConfig(process.env);
  // Read before the database is opened: while that is open, root has only its owner's rights.
  const { time_zone: timeZone } = config;
  const questions = { ...asked, timeZone, today: today(timeZone) };
  const found = readFoundFile(readBytes(asked.file), questions);
  refuseMissingDatabase(config);
  const connection = await openDatabase(config);
  if (!connection) {
    throw new Error(
      'A panel is running on this database: stop it, run this again, then start it again',
    );
  }
  await adopt(config, connection, found, asked).finally(() => connection.close());
});
