import { agentRefusals } from '@linekeeper/contract/agent-refusals.ts';
import { linePassword } from '@linekeeper/contract/fields/line-credentials.ts';
import { type Finding, findingWithMessage } from '@linekeeper/contract/findings.ts';
import type { ServerCall } from '@linekeeper/contract/servers/test-call.ts';
import { isText, readableOf } from '@linekeeper/oscam/bytes.ts';
import {
  EDIT,
  PROBE,
  REREAD,
  SERVER_FILE,
  SERVICES_FILE,
  STATS,
  STATUS,
} from '@linekeeper/oscam/pages.ts';
import { type Head, readHead, readNames, readUsers } from '@linekeeper/oscam/replies.ts';
import type { Ask } from '@linekeeper/oscam/session.ts';
import {
  dayOf,
  type FileAccount,
  readFile,
  readRightsChoices,
  readServiceNames,
  unknownServices,
} from '@linekeeper/oscam/user-file.ts';
import { openWhoIsOn, readMainThread } from '@linekeeper/oscam/who-is-on.ts';
import type { Outbound } from '../../../../platform/http-client/request.ts';
import { NO_REPORT } from '../agent-report.ts';
import { type Connected, failedWith, NOTHING_FOUND } from '../check-connection.ts';
import { isChange, isName, type PushResult } from '../client.ts';
import type {
  CardServerDriver,
  LineOnline,
  LineToTakeOver,
  ListedAccounts,
  SessionsRead,
  ShownAccount,
  TakenOverRows,
  TriedAccount,
} from '../driver.ts';
import { DOTS, pushFinding, Reader } from '../messages.ts';
import { choicesOf } from '../rights.ts';
import { askWebif, endedWith, findingOf, resultOf, type WebifServer } from './ask-webif.ts';
import {
  byName,
  changeInRun,
  groupOfNew,
  isDisabled,
  isFileCut,
  type Mark,
  markAccount,
  markOf,
  nameAmong,
  readAccount,
  readUserFile,
  refuseReadOnly,
} from './oscam-accounts.ts';

const WORD_MAX_LENGTH = 100;
/** Reads texts from OSCam's pages, which never contain the secrets of a call. */
const reader = new Reader([]);
/** The deadline of a list, which may have thousands of accounts. */
const LIST_MS = 20_000;

/** Accounts with losses that are listed by name, at most. */
const MOST_NAMED = 20;

/** Accounts with services that OSCam does not know: any next save removes these services. */
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

/** OSCam's report of its accounts, for an administrator's test. */
async function readOscam(ask: Ask, { isReadOnly }: Head) {
  const file = await readUserFile(ask);
  const own_accounts = file.filter((account) => markOf(account.get('description'))).length;
  const loses = await readLosses(ask, file);
  return {
    isCut: await isFileCut(ask, file),
    oscam: { read_only: isReadOnly, accounts: file.length, own_accounts, loses },
  };
}

/** Findings of an OSCam that was reached. */
const REACHED = [
  'OSCAM_SIGN_IN',
  'OSCAM_FORBIDDEN',
  'OSCAM_READ_ONLY',
  'HTTPS_EXPECTED',
  'HTTP_EXPECTED',
];

function failed(error: unknown): Connected {
  const finding = findingOf(error);
  return {
    ...failedWith(finding),
    health: REACHED.includes(finding.code),
    tls_fingerprint: finding.data.fingerprint ?? null,
  };
}

/**
 * The id of a running OSCam, which has no folder of accounts: its start and its main thread, which
 * are the same by any name, number or forwarded port. Null if it hides its status.
 */
async function instanceOf(ask: Ask, { started_at }: Head): Promise<string | null> {
  const thread = await ask({ path: STATUS }).then(readMainThread, () => undefined);
  return thread !== undefined && started_at ? `${started_at} ${thread}` : null;
}

async function test(ask: Ask, isThorough: boolean): Promise<Connected> {
  const startedAt = performance.now();
  const head = readHead(await ask({ path: PROBE }));
  const latency_ms = Math.round(performance.now() - startedAt);
  const { isCut, oscam } = isThorough ? await readOscam(ask, head) : { isCut: false, oscam: null };
  const readOnly: Finding = { code: 'OSCAM_READ_ONLY', data: {} };
  const finding = head.isReadOnly ? readOnly : isCut ? NOT_IN_FILE : null;
  const started_at = head.started_at ? new Date(head.started_at) : null;
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
    instance: await instanceOf(ask, head),
    report: { ...NO_REPORT, zone: head.zone, zone_at: started_at },
  };
}

async function list(ask: Ask): Promise<ListedAccounts> {
  const body = await ask({ path: STATS });
  // This throws NOT_OSCAM for a page of another program, which would otherwise be read as an empty list.
  readHead(body);
  const file = await readUserFile(ask);
  const written = byName(file);
  const users = readUsers(body)
    .map(({ user, isDisabled }) => {
      const account = written.get(user) ?? new Map();
      const mark = markOf(account.get('description'));
      return { name: readableOf(user), isDisabled, mark, day: dayOf(account) };
    })
    .filter(({ name }) => isName(name));
  const names = (rows: typeof users) => new Set(rows.map(({ name }) => name));
  return {
    ok: true,
    accounts: new Map(users.map(({ name, day }) => [name, day])),
    disabled: names(users.filter((row) => row.isDisabled)),
    by_hand: names(users.filter(({ mark }) => !mark)),
    lines: new Map(users.flatMap(({ name, mark }) => (mark?.line ? [[name, mark.line]] : []))),
    tells_passwords: true,
    new_group: groupOfNew(file),
  };
}

/**
 * Accounts with their settings from the file, because only the file has the expiry date as it was
 * set: pages print it in UTC.
 */
async function show(ask: Ask, usernames: readonly string[]) {
  const written = byName(await readUserFile(ask));
  const accounts = new Map<string, ShownAccount>();
  for (const username of usernames) {
    const account = written.get(nameAmong(written.keys(), username));
    if (!account) continue;
    const { data: password = null } = linePassword.safeParse(readableOf(account.get('pwd') ?? ''));
    // The push adds the panel's mark, and switches the account on.
    accounts.set(username, { password, expiry_date: dayOf(account), is_to_push: true });
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

/**
 * The marks in OSCam's file by name in bytes, null for an account without one. Accounts that are not in the file are
 * absent.
 */
async function readMarks(ask: Ask): Promise<ReadonlyMap<string, Mark | null>> {
  const accounts = byName(await readUserFile(ask));
  return new Map([...accounts].map(([name, config]) => [name, markOf(config.get('description'))]));
}

/** Reads the sessions. An account without a mark is the operator's own, and is left out. */
async function sessions(ask: Ask): Promise<SessionsRead> {
  const { server, started_at, accounts } = await openWhoIsOn(ask).read();
  const marks = accounts.length > 0 ? await readMarks(ask) : new Map<string, Mark | null>();
  return {
    ok: true,
    card_server: reader.text(server, WORD_MAX_LENGTH),
    started_at: started_at === null ? null : new Date(started_at),
    accounts: accounts
      .filter(({ name }) => marks.get(name) !== null)
      .map(({ name, ...account }) => ({
        ...account,
        username: readableOf(name),
        line: marks.get(name)?.line ?? undefined,
        sessions: account.sessions.map((one) => ({
          protocol: reader.text(one.protocol, WORD_MAX_LENGTH),
          address: reader.text(one.address, WORD_MAX_LENGTH),
          since: one.since,
        })),
      }))
      .filter(({ username }) => isName(username)),
  };
}

/** The finding if a session cannot be ended: OSCam hides idle clients from the page that its end needs. */
const hidden: Finding = {
  code: 'IN_OTHER_WORDS',
  data: { words: agentRefusals.SESSIONS_HIDDEN, said: 'SESSIONS_HIDDEN' },
};

/** Ends the sessions of the accounts that have the line's mark. */
async function endSessions(ask: Ask, { line, usernames }: LineOnline) {
  refuseReadOnly(readHead(await ask({ path: PROBE })));
  const known = readNames(await ask({ path: STATS }));
  const marks = await readMarks(ask);
  const own = new Set<string>();
  for (const name of usernames.map((username) => nameAmong(known, username))) {
    const { config } = marks.has(name) ? {} : await readAccount(ask, name);
    const mark = marks.get(name) ?? markOf(config?.get('description'));
    if (mark && (mark.line ?? line) === line) own.add(name);
  }
  const ended = own.size === 0 ? 0 : await openWhoIsOn(ask).end((name) => own.has(name));
  if (ended === undefined) throw endedWith(hidden);
  return { ok: true, ended } as const;
}

/** Makes a test change, which takes several requests. Fields that are not given stay unchanged in OSCam. */
async function tryChange(
  driver: CardServerDriver,
  call: 'add' | 'edit' | 'delete',
  { username, ...given }: TriedAccount,
  signal: AbortSignal,
): Promise<PushResult> {
  if (call === 'delete') return driver.remove(username, { onServer: true, lines: [], signal });
  const known = (await driver.show([username], signal))?.get(username);
  const password = given.password ?? known?.password;
  const expiry_date = given.expiry_date ?? known?.expiry_date;
  // OSCam would create a missing account, and without a password anyone could use it.
  if (!password || !expiry_date) return { ok: false, kind: 'refused', reason: 'User not found' };
  const account = { username, password, expiry_date, is_suspended: false };
  return driver.put(account, { onServer: call === 'edit', signal });
}

/** The request with which a call ends, with dots for the password. */
function requestOf(
  { api_scheme, host_ip, api_port }: WebifServer,
  call: ServerCall,
  { username, password, expiry_date = '' }: TriedAccount,
) {
  const isSaved = call === 'add' || call === 'edit';
  const path = isSaved ? EDIT : call === 'delete' ? `${STATS}&action=delete` : STATS;
  const form = { user: username, ...(password && { pwd: DOTS }), expdate: expiry_date };
  return {
    method: isSaved ? 'POST' : 'GET',
    url: `${api_scheme}://${host_ip}:${api_port}${path}`,
    headers: { authorization: `Digest ${DOTS}` },
    body: isSaved ? form : null,
  };
}

const orFinding = <T>(work: Promise<T>) =>
  work.catch((error: unknown) => ({ ok: false as const, finding: findingOf(error) }));
/** A fallback for a response that OSCam did not send. */
const orElse =
  <T>(value: T) =>
  (error: unknown): T => {
    resultOf(error);
    return value;
  };

const NOT_IN_FILE: Finding = { code: 'OSCAM_NOT_WRITTEN', data: {} };

/** The driver for OSCam’s own web interface. The account of a suspended line stays in OSCam, turned off. */
export function webifDriver(outbound: Outbound, server: WebifServer): CardServerDriver {
  const within = <T>(
    signal: AbortSignal | undefined,
    work: (ask: Ask) => Promise<T>,
    limits: Pick<Outbound, 'deadlineMs'> = {},
    isReading = false,
  ) => askWebif({ ...outbound, ...limits }, server, signal, work, isReading);
  const long = { deadlineMs: LIST_MS };
  const driver: CardServerDriver = {
    test: (signal, isThorough = false) =>
      within(signal, (ask) => test(ask, isThorough), {}, true).catch(failed),
    put: (account, options) => changeInRun(outbound, server, options.signal, { account, options }),
    remove: (username, options) =>
      changeInRun(outbound, server, options.signal, { username, options }),
    list: (signal) => orFinding(within(signal, list, long, true)),
    show: (usernames, signal) =>
      within(signal, (ask) => show(ask, usernames), long, true).catch(orElse(null)),
    isByHand(username, signal) {
      const work = async (ask: Ask) => {
        const names = readNames(await ask({ path: STATS }));
        const { config } = await readAccount(ask, nameAmong(names, username));
        return config !== undefined && !markOf(config.get('description'));
      };
      return within(signal, work).catch(orElse(false));
    },
    takeOver(lines, signal) {
      const all: TakenOverRows = { taken: [], refused: [], finding: null };
      return within(signal, (ask) => takeOver(ask, lines, all), long).catch((error: unknown) => ({
        ...all,
        finding: findingOf(error),
      }));
    },
    rightsChoices(signal) {
      const work = async (ask: Ask) => {
        const readers = readFile(await ask({ path: SERVER_FILE }));
        const services = readFile(await ask({ path: SERVICES_FILE }));
        return choicesOf(readRightsChoices(readers ?? '', services ?? ''));
      };
      return within(signal, work, {}, true).catch(orElse(null));
    },
    reread(signal) {
      const work = async (ask: Ask) => {
        refuseReadOnly(readHead(await ask({ path: PROBE })));
        if (await isFileCut(ask, await readUserFile(ask))) throw endedWith(NOT_IN_FILE);
        await ask({ path: REREAD, headersOnly: true });
        return { ok: true, applied: true, reload: null } as const;
      };
      return orFinding(within(signal, work));
    },
    sessions: (signal) => orFinding(within(signal, sessions, long, true)),
    endSessions: (line, signal) => orFinding(within(signal, (ask) => endSessions(ask, line))),
    async tryOut(call, account, signal) {
      const request = requestOf(server, call, account);
      const reply = { status: 200, message: null, version: null };
      if (!isChange(call)) {
        const { finding, version } = await driver.test(signal);
        return { request, finding, reply: finding ? null : { ...reply, version } };
      }
      const made = await tryChange(driver, call, account, signal);
      if (made.ok) return { request, finding: null, reply };
      return { request, finding: pushFinding(call, made), reply: null };
    },
  };
  return driver;
}
