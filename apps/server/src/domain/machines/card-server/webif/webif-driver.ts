import { createHash } from 'node:crypto';
import { agentRefusals } from '@linekeeper/contract/agent-refusals.ts';
import { linePassword } from '@linekeeper/contract/fields/line-credentials.ts';
import { type Finding, findingWithMessage } from '@linekeeper/contract/findings.ts';
import { isText, readableOf } from '@linekeeper/oscam/bytes.ts';
import {
  PROBE,
  REREAD,
  SERVICES_FILE,
  STATS,
  STATS_IN_JSON,
  STATUS,
} from '@linekeeper/oscam/pages.ts';
import { type Head, readDays, readHead, readNames, readUsers } from '@linekeeper/oscam/replies.ts';
import type { Ask } from '@linekeeper/oscam/session.ts';
import {
  dayOf,
  type FileAccount,
  readFile,
  readServiceNames,
  unknownServices,
} from '@linekeeper/oscam/user-file.ts';
import { openWhoIsOn, readMainThread } from '@linekeeper/oscam/who-is-on.ts';
import type { Outbound } from '../../../../platform/http-client/request.ts';
import { machineOf } from '../../same-machine.ts';
import { NO_REPORT } from '../agent-report.ts';
import { type Connected, failedWith, NOTHING_FOUND } from '../check-connection.ts';
import { isName } from '../client.ts';
import type {
  CardServerDriver,
  LineOnline,
  LineToTakeOver,
  ListedAccounts,
  SessionsRead,
  ShownAccount,
  TakenOverRows,
} from '../driver.ts';
import { Reader } from '../messages.ts';
import {
  askWebif,
  Found,
  findingOf,
  isTrouble,
  type Trouble,
  type WebifServer,
} from './ask-webif.ts';
import {
  byName,
  groupOfNew,
  isDisabled,
  isFileCut,
  type Mark,
  markAccount,
  markOf,
  meantDay,
  nameAmong,
  readAccount,
  readUserFile,
  refuseReadOnly,
} from './oscam-accounts.ts';
import { changeInRun } from './runs.ts';

const WORD_MAX_LENGTH = 100;
/** Texts of OSCam's pages; none of them has the secrets of a call. */
const reader = new Reader([]);
/** The deadline of a list, which may have thousands of accounts. */
const LIST_MS = 20_000;

/** So many of the accounts that lose something are named. */
const MOST_NAMED = 20;

/** Accounts whose services OSCam does not know all, which the first save by anybody takes away. */
async function readLosses(ask: Ask, file: readonly FileAccount[]) {
  const named = file.filter((account) => account.get('services'));
  const text = named.length > 0 ? readFile(await ask({ path: SERVICES_FILE })) : undefined;
  if (text === undefined) return { count: 0, items: [] };
  const known = readServiceNames(text);
  const losing = named.flatMap((account) => {
    const services = unknownServices(account, known).map(readableOf);
    return services.length > 0
      ? [{ username: readableOf(account.get('user') ?? ''), services }]
      : [];
  });
  const shown = losing.filter(({ username }) => isName(username)).slice(0, MOST_NAMED);
  const items = shown.map(({ username, services }) => ({
    username,
    services: reader.text(services.join(','), WORD_MAX_LENGTH) ?? '',
  }));
  return { count: losing.length, items };
}

/** What OSCam says of its accounts, to an administrator who tests it. */
async function readOscam(ask: Ask, { isReadOnly }: Head) {
  const file = await readUserFile(ask);
  const accounts = file?.length ?? readNames(await ask({ path: STATS })).length;
  const own = (file ?? []).filter((account) => markOf(account.get('description')));
  const loses = await readLosses(ask, file ?? []);
  return {
    isCut: await isFileCut(ask, file),
    oscam: { read_only: isReadOnly, accounts, own_accounts: own.length, loses },
  };
}

const zoneText = (minutes: number) => {
  const time = new Date(Math.abs(minutes) * 60_000).toISOString().slice(11, 16);
  return `${minutes < 0 ? '-' : '+'}${time}`;
};

/** Findings of an OSCam that was reached. */
const REACHED = [
  'OSCAM_SIGN_IN',
  'OSCAM_FORBIDDEN',
  'OSCAM_READ_ONLY',
  'HTTPS_EXPECTED',
  'HTTP_EXPECTED',
];

function failed(trouble: Trouble): Connected {
  const finding = findingOf(trouble);
  return {
    ...failedWith(finding),
    health: REACHED.includes(finding.code),
    tls_fingerprint: finding.data.fingerprint ?? null,
  };
}

/**
 * The id of a running OSCam, which has no folder of accounts to tell of: by whatever name, number or forwarded port, it
 * has one start and one main thread. Of one that hides its status, the address that its name has.
 */
async function instanceOf(
  ask: Ask,
  { started_at }: Head,
  { api_port }: WebifServer,
  addresses: readonly string[],
): Promise<string | null> {
  const thread = await ask({ path: STATUS }).then(readMainThread, () => undefined);
  if (thread !== undefined && started_at) return `${started_at} ${thread}`;
  const [host_ip] = [...addresses].sort();
  return host_ip === undefined ? null : machineOf({ host_ip, api_port });
}

async function test(
  ask: Ask,
  isThorough: boolean,
  server: WebifServer,
  addresses: readonly string[],
): Promise<Connected> {
  const startedAt = performance.now();
  const head = readHead(await ask({ path: PROBE }));
  const latency_ms = Math.round(performance.now() - startedAt);
  const { isCut, oscam } = isThorough ? await readOscam(ask, head) : { isCut: false, oscam: null };
  const readOnly: Finding = { code: 'OSCAM_READ_ONLY', data: {} };
  const finding = head.isReadOnly ? readOnly : isCut ? NOT_IN_FILE : null;
  const started_at = head.started_at ? new Date(head.started_at) : null;
  const zone = head.zone === null ? null : zoneText(head.zone);
  return {
    ...NOTHING_FOUND,
    status: finding ? 'error' : 'active',
    health: true,
    auth: true,
    version: reader.text(head.server, WORD_MAX_LENGTH),
    latency_ms,
    ...findingWithMessage(finding),
    oscam,
    started_at,
    instance: await instanceOf(ask, head, server, addresses),
    report: { ...NO_REPORT, zone, zone_at: started_at },
  };
}

const md5 = (bytes: string) => createHash('md5').update(bytes, 'latin1').digest('hex');

async function list(ask: Ask): Promise<ListedAccounts> {
  const body = await ask({ path: STATS });
  // Ends with NOT_OSCAM for a page of another program, which would read as a list of nothing.
  const head = readHead(body);
  const file = await readUserFile(ask);
  const written = byName(file);
  // Without the file, days are of a list that has no marks.
  const printed = file ? undefined : readDays(await ask({ path: STATS_IN_JSON }));
  const printedDay = (user: string) =>
    meantDay(printed?.get(md5(user)) ?? printed?.get(user), head);
  const users = readUsers(body)
    .map(({ user, isDisabled }) => {
      const account = written.get(user);
      const day = account ? dayOf(account) : printedDay(user);
      return { name: readableOf(user), isDisabled, mark: markOf(account?.get('description')), day };
    })
    .filter(({ name }) => isName(name));
  const names = (rows: typeof users) => new Set(rows.map(({ name }) => name));
  return {
    ok: true,
    accounts: new Map(users.map(({ name, day }) => [name, day])),
    disabled: names(users.filter((row) => row.isDisabled)),
    by_hand: names(users.filter(({ mark }) => file && !mark)),
    lines: new Map(users.flatMap(({ name, mark }) => (mark?.line ? [[name, mark.line]] : []))),
    tells_passwords: true,
    new_group: groupOfNew(file ?? []),
  };
}

function shown(config: FileAccount, expiry_date: string | null): ShownAccount {
  const password = linePassword.safeParse(readableOf(config.get('pwd') ?? ''));
  // Its mark is to be written, and an account that is switched off is to be switched on.
  return { password: password.success ? password.data : null, expiry_date, is_to_push: true };
}

async function show(ask: Ask, usernames: readonly string[]) {
  const written = byName(await readUserFile(ask));
  const names = usernames.length === 0 ? [] : readNames(await ask({ path: STATS }));
  const accounts = new Map<string, ShownAccount>();
  for (const username of usernames) {
    const name = nameAmong([...written.keys(), ...names], username);
    const account = written.get(name);
    if (account) {
      accounts.set(username, shown(account, dayOf(account)));
      continue;
    }
    const { head, config } = await readAccount(ask, name);
    if (config) accounts.set(username, shown(config, meantDay(config.get('expdate'), head)));
  }
  return accounts;
}

async function takeOverOne(ask: Ask, name: string, line: LineToTakeOver) {
  const { password, before, state } = line;
  const { head, config } = await readAccount(ask, name);
  refuseReadOnly(head);
  if (!config) return 'no_row';
  const isKnown = [password, before].some(
    (one) => one !== null && isText(config.get('pwd') ?? '', one),
  );
  if (!isKnown) return 'password_differs';
  if (state === 'runs' && isDisabled(config)) return 'switched_off';
  return (await markAccount(ask, name, line.line, config)) ? null : 'no_row';
}

async function takeOver(ask: Ask, lines: readonly LineToTakeOver[], all: TakenOverRows) {
  const names = readNames(await ask({ path: STATS }));
  for (const line of lines) {
    const { username } = line;
    const reason = await takeOverOne(ask, nameAmong(names, username), line);
    if (reason === null) all.taken.push(username);
    else all.refused.push({ username, reason });
  }
  return all;
}

/** The accounts of OSCam's file, by name in bytes. Of one that the file lacks nothing is known. */
async function readMarked(ask: Ask): Promise<(name: string) => Mark | null | undefined> {
  const file = byName(await readUserFile(ask));
  return (name) => {
    const account = file.get(name);
    return account && markOf(account.get('description'));
  };
}

/** Who is on; an account that has no mark is the operator's own, which is not looked at. */
async function sessions(ask: Ask): Promise<SessionsRead> {
  const { server, started_at, accounts } = await openWhoIsOn(ask).read();
  const markedAs = accounts.length > 0 ? await readMarked(ask) : () => null;
  const since = (text: string | null) => (text === null ? null : new Date(text));
  return {
    ok: true,
    card_server: reader.text(server, WORD_MAX_LENGTH),
    started_at: since(started_at),
    accounts: accounts
      .filter(({ name }) => markedAs(name) !== null)
      .map(({ name, ...account }) => ({
        ...account,
        username: readableOf(name),
        line: markedAs(name)?.line ?? undefined,
        sessions: account.sessions.map((one) => ({
          protocol: reader.text(one.protocol, WORD_MAX_LENGTH),
          address: reader.text(one.address, WORD_MAX_LENGTH),
          since: since(one.since),
        })),
      }))
      .filter(({ username }) => isName(username)),
  };
}

/** OSCam hides clients that ask for nothing from the page that tells how to end their sessions. */
const said = 'SESSIONS_HIDDEN';
const hidden: Finding = { code: 'IN_OTHER_WORDS', data: { words: agentRefusals[said], said } };

/** Ends the sessions of the accounts that have the line's mark. */
async function endSessions(ask: Ask, { line, usernames }: LineOnline) {
  refuseReadOnly(readHead(await ask({ path: PROBE })));
  const known = readNames(await ask({ path: STATS }));
  const markedAs = await readMarked(ask);
  const own = new Set<string>();
  for (const name of usernames.map((username) => nameAmong(known, username))) {
    const { config } = markedAs(name) === undefined ? await readAccount(ask, name) : {};
    const mark = markedAs(name) ?? markOf(config?.get('description'));
    if (mark && (mark.line ?? line) === line) own.add(name);
  }
  const ended = own.size === 0 ? 0 : await openWhoIsOn(ask).end((name) => own.has(name));
  if (ended === undefined) throw new Found(hidden);
  return { ok: true, ended } as const;
}

const orFinding = <T extends object>(result: T | Trouble) =>
  isTrouble(result) ? { ok: false as const, finding: findingOf(result) } : result;

const NOT_IN_FILE: Finding = { code: 'OSCAM_NOT_WRITTEN', data: {} };

/** Does everything by OSCam's own web interface. A suspended line's account stays there, switched off. */
export function webifDriver(outbound: Outbound, server: WebifServer): CardServerDriver {
  const within = <T>(
    signal: AbortSignal | undefined,
    work: (ask: Ask, addresses: readonly string[]) => Promise<T>,
    limits: Pick<Outbound, 'deadlineMs'> = {},
    isReading = false,
  ) => askWebif({ ...outbound, ...limits }, server, signal, work, isReading);
  const long = { deadlineMs: LIST_MS };
  return {
    async test(signal, isThorough = false) {
      const work = (ask: Ask, addresses: readonly string[]) =>
        test(ask, isThorough, server, addresses);
      const found = await within(signal, work, {}, true);
      return isTrouble(found) ? failed(found) : found;
    },
    put: (account, options) => changeInRun(outbound, server, options.signal, { account, options }),
    remove: (username, options) =>
      changeInRun(outbound, server, options.signal, { username, options }),
    list: async (signal) => orFinding(await within(signal, list, long, true)),
    async show(usernames, signal) {
      const accounts = await within(signal, (ask) => show(ask, usernames), long, true);
      return isTrouble(accounts) ? null : accounts;
    },
    async takeOver(lines, signal) {
      const all: TakenOverRows = { taken: [], refused: [], finding: null };
      const result = await within(signal, (ask) => takeOver(ask, lines, all), long);
      return isTrouble(result) ? { ...all, finding: findingOf(result) } : result;
    },
    async reread(signal) {
      const work = async (ask: Ask) => {
        refuseReadOnly(readHead(await ask({ path: PROBE })));
        if (await isFileCut(ask, await readUserFile(ask))) throw new Found(NOT_IN_FILE);
        await ask({ path: REREAD, headersOnly: true });
        return { ok: true, applied: true, reload: null } as const;
      };
      return orFinding(await within(signal, work));
    },
    async sessions(signal) {
      return orFinding(await within(signal, sessions, long, true));
    },
    async endSessions(line, signal) {
      return orFinding(await within(signal, (ask) => endSessions(ask, line)));
    },
  };
}
