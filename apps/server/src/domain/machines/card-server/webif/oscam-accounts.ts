import type { Finding } from '@linekeeper/contract/findings.ts';
import { bytesOf, isText } from '@linekeeper/oscam/bytes.ts';
import {
  actionOn,
  COMPARED_BYTES,
  configOf,
  EDIT,
  NOT_WRITTEN,
  SAVED,
  STATS,
  USER_FILE,
} from '@linekeeper/oscam/pages.ts';
import { type Head, readHead, readNames, readUserConfig } from '@linekeeper/oscam/replies.ts';
import type { Ask } from '@linekeeper/oscam/session.ts';
import {
  dayOf,
  type FileAccount,
  readFile,
  readFileAccounts,
} from '@linekeeper/oscam/user-file.ts';
import type { Outbound } from '../../../../platform/http-client/request.ts';
import type { PushResult } from '../client.ts';
import type { PutOptions, RemoveOptions, WantedAccount } from '../driver.ts';
import {
  askWebif,
  CallsEnded,
  endedWith,
  refusedWith,
  resultOf,
  untried,
  WAIT_MS,
  type WebifServer,
} from './ask-webif.ts';

/** How often a change is made that is not there afterwards as it was saved. */
const ROUNDS = 3;
/** OSCam reads little more of `services`, and loses the rest at a save. */
const SERVICES_BYTES = 1000;
/** Settings of an account that say who it is and for how long; all others are what it may do. */
const OWN_SETTINGS = ['user', 'pwd', 'disabled', 'expdate', 'description'];

/** Settings of an account in OSCam's memory or its file, as bytes. */
type Config = ReadonlyMap<string, string>;
type Field = readonly [string, string];

/** A change that has to be made again, and the finding if that does not help. */
type Again = { again: Finding };
const changedThere: Again = { again: { code: 'CHANGED_THERE', data: {} } };
const unwritten: Again = { again: { code: 'OSCAM_NOT_WRITTEN', data: {} } };

const byHand = (kind: 'KEPT_BY_HAND' | 'SHARED_BY_HAND' = 'KEPT_BY_HAND'): PushResult => ({
  ok: false,
  kind,
  reason: 'oscam.user',
});

/**
 * The mark in an account's `description` that it is the panel's, and of which line: `Linekeeper <id>`, and behind it the
 * operator's own words. Texts of accounts are bytes, one latin1 character each.
 */
const MARK = /^Linekeeper(?: ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}))?(?: \| (.*))?$/s;

export type Mark = { line: string | null; words: string };

/** The mark of a description; null if it has none. */
export function markOf(description: string | undefined): Mark | null {
  const mark = MARK.exec(description ?? '');
  return mark && { line: mark[1] ?? null, words: mark[2] ?? '' };
}

/** The description of a line's account, with the operator's own words kept. A line break would begin a setting. */
function describe(line: string | undefined, before: string | undefined): string {
  // Bytes above 0x7f may be of a letter, in whatever encoding.
  const words = (markOf(before)?.words ?? before ?? '')
    .replace(/(?:(?![\u0080-\u009f])\p{Cc})+/gu, ' ')
    .replace(/^ +| +$/g, '');
  const mark = line === undefined ? 'Linekeeper' : `Linekeeper ${line}`;
  return words ? `${mark} | ${words}` : mark;
}

export async function readAccount(ask: Ask, name: string) {
  const body = await ask({ path: configOf(name) });
  return { head: readHead(body), config: readUserConfig(body) };
}

/** The accounts of the file on the disk; none before OSCam has made one. */
export async function readUserFile(ask: Ask): Promise<FileAccount[]> {
  return readFileAccounts(readFile(await ask({ path: USER_FILE })) ?? '');
}

/** Accounts of the file by name in bytes. Of two accounts of a name OSCam uses the first. */
export const byName = (file: readonly FileAccount[]) =>
  new Map(file.toReversed().map((account) => [account.get('user') ?? '', account]));

/** The names in OSCam's memory, and its file, which every save writes whole from memory. */
type Look = {
  at: number;
  /** Bytes, one latin1 character each. */
  names: Set<string>;
  file: FileAccount[];
  inFile: Map<string, FileAccount>;
};

async function look(ask: Ask): Promise<Look> {
  const asked = [ask({ path: STATS }), readUserFile(ask)] as const;
  await Promise.allSettled(asked);
  const [stats, file] = await Promise.all(asked);
  refuseReadOnly(readHead(stats));
  const at = performance.now();
  return { at, names: new Set(readNames(stats)), file, inFile: byName(file) };
}

/** Of so many accounts that the file lacks it is asked whose they are. */
const ASKED = 20;

/**
 * Whether a full disk has left the file without accounts that OSCam has in memory, which reading it would lose for good.
 * An operator who takes a few of their own out by hand wants them gone.
 */
export async function isFileCut(ask: Ask, file: readonly FileAccount[]): Promise<boolean> {
  const written = byName(file);
  const names = readNames(await ask({ path: STATS }));
  const lacking = names.filter((name) => !written.has(name));
  if (2 * lacking.length > names.length) return true;
  for (const name of lacking.slice(0, ASKED)) {
    const { config } = await readAccount(ask, name);
    if (markOf(config?.get('description'))) return true;
  }
  return false;
}

/** The bytes in which OSCam has a name, whatever their encoding; those of UTF-8 if it has none. */
export function nameAmong(names: Iterable<string>, username: string): string {
  const bytes = bytesOf(username);
  if (bytes === username) return bytes;
  const known = [...names].filter((name) => isText(name, username));
  return known.includes(bytes) ? bytes : (known[0] ?? bytes);
}

/** OSCam obeys its setting in some pages only, so that the panel obeys it in all. Throws OSCAM_READ_ONLY. */
export function refuseReadOnly({ isReadOnly }: Head): void {
  if (isReadOnly) throw endedWith({ code: 'OSCAM_READ_ONLY', data: {} });
}

export const isDisabled = (config: Config) => !/^0*$/.test(config.get('disabled') ?? '');

/** Whether an account has a password that was delivered: an empty one is nobody's. */
const hasPassword = (config: Config, passwords: readonly (string | undefined)[]) =>
  passwords.some((one) => one && isText(config.get('pwd') ?? '', one));

/** Whether an account is the panel's own. One without a mark was adopted, or lost it in OSCam's own form. */
function isOurs(config: Config, account: WantedAccount, { onServer, before }: PutOptions): boolean {
  const mark = markOf(config.get('description'));
  if (!mark) return onServer && hasPassword(config, [account.password, before]);
  return onServer || mark.line === null || mark.line === account.line;
}

const copied = (former: Config): Field[] =>
  [...former].filter(([key, value]) => value !== '' && !OWN_SETTINGS.includes(key));

/** The group of all accounts of the panel, which a new one gets, too; null if they have none, or several. */
export function groupOfNew(file: readonly FileAccount[]): string | null {
  const own = file.filter((account) => markOf(account.get('description')));
  const groups = new Set(own.map((account) => account.get('group') ?? ''));
  const [group = ''] = groups;
  return groups.size === 1 && group ? group : null;
}

/** An account that OSCam has in memory, as the file has it, or else as OSCam says. */
async function configIn(ask: Ask, seen: Look, name: string): Promise<Config | undefined> {
  if (!seen.names.has(name)) return undefined;
  return seen.inFile.get(name) ?? (await readAccount(ask, name)).config;
}

/** Settings of a new account, and its password's bytes: those of the line's former account, or the panel's other accounts' group. */
async function settingsOfNew(ask: Ask, seen: Look, { line, formerly, password }: WantedAccount) {
  if (formerly !== undefined) {
    const name = nameAmong(seen.names, formerly);
    const known = await configIn(ask, seen, name);
    const mark = markOf(known?.get('description'));
    const isFormer = known && line && (mark ? mark.line === line : hasPassword(known, [password]));
    if (isFormer) {
      const pwd = hasPassword(known, [password]) ? known.get('pwd') : undefined;
      return { settings: copied(known), before: known.get('description') ?? '', pwd };
    }
  }
  const group = groupOfNew(seen.file);
  const settings: Field[] = group === null ? [] : [['group', group]];
  return { settings, before: undefined, pwd: undefined };
}

/** Whether an account of the operator's own has the first bytes of this name, all that CCcam's sign-in compares. */
function isShared(seen: Look, name: string, formerly: string | undefined): boolean {
  if (name.length < COMPARED_BYTES) return false;
  const begin = name.slice(0, COMPARED_BYTES);
  const former = nameAmong(seen.names, formerly ?? '');
  return [...seen.names].some(
    (other) =>
      other !== name &&
      other !== former &&
      other.startsWith(begin) &&
      !markOf(seen.inFile.get(other)?.get('description')),
  );
}

function isAsWanted(config: Config, account: WantedAccount, description: string): boolean {
  return (
    isText(config.get('pwd') ?? '', account.password) &&
    isDisabled(config) === account.is_suspended &&
    config.get('description') === description
  );
}

/** Asked of the look after a change: whether it is there, in OSCam's memory and in its file, which a full disk leaves without it. */
type Check = (after: Look) => Promise<PushResult | Again> | PushResult | Again;

const checkSaved =
  (ask: Ask, name: string, account: WantedAccount, description: string): Check =>
  async (after) => {
    if (!after.names.has(name)) return changedThere;
    const written = after.inFile.get(name);
    const isWritten =
      written &&
      isAsWanted(written, account, description) &&
      dayOf(written) === account.expiry_date;
    // A save writes what is in memory, so that a file which has it says both.
    if (isWritten) return { ok: true };
    const { config } = await readAccount(ask, name);
    return config && isAsWanted(config, account, description) ? unwritten : changedThere;
  };

type Saved = {
  name: string;
  description: string;
  /** The password's bytes if they are to be another. */
  pwd: string | undefined;
  settings: readonly Field[];
};

/** Saves settings of an account, and returns OSCam's page. Throws SERVICES_TOO_LONG. */
async function saveFields(ask: Ask, fields: readonly Field[]): Promise<string> {
  const services = fields.find(([key]) => key === 'services')?.[1] ?? '';
  if (services.length > SERVICES_BYTES) throw endedWith({ code: 'SERVICES_TOO_LONG', data: {} });
  return ask({ path: EDIT, form: [...fields, ['action', 'Save']] });
}

/** Saves a whole account. Throws SERVICES_TOO_LONG, and NOT_OSCAM for a page of another program. */
async function save(ask: Ask, account: WantedAccount, seen: Look, saved: Saved) {
  const { name, description, pwd, settings } = saved;
  const page = await saveFields(ask, [
    ['user', name],
    // A password that is right is not sent: its bytes may be no UTF-8.
    ...(pwd === undefined ? [] : [['pwd', pwd] as const]),
    ['disabled', account.is_suspended ? '1' : '0'],
    ['expdate', account.expiry_date],
    ['description', description],
    ...settings,
  ]);
  seen.names.add(name);
  seen.inFile.set(name, new Map([['description', description]]));
  if (page.includes(NOT_WRITTEN)) return unwritten;
  if (!page.includes(SAVED)) throw endedWith({ code: 'NOT_OSCAM', data: {} });
  return checkSaved(ask, name, account, description);
}

async function put(ask: Ask, seen: Look, account: WantedAccount, options: PutOptions) {
  const { username, password, line } = account;
  const name = nameAmong(seen.names, username);
  const config = await ownOrElse(ask, seen, name, (one) => isOurs(one, account, options));
  if (!config) {
    const made = await settingsOfNew(ask, seen, account);
    // A suspended line that is not there is kept out as well.
    if (account.is_suspended && made.before === undefined) return { ok: true } as const;
    if (isShared(seen, name, account.formerly)) return byHand('SHARED_BY_HAND');
    const pwd = made.pwd ?? bytesOf(password);
    const description = describe(line, made.before);
    return save(ask, account, seen, { ...made, name, pwd, description });
  }
  if (!isOurs(config, account, options)) return byHand();
  const before = config.get('description');
  const mark = markOf(before);
  if (!options.isAdopted && mark?.line && line && mark.line !== line) {
    // The account of a line that was deleted before this one was sold: what it may do is not this one's.
    await ask({ path: actionOn('delete', name) });
    return changedThere;
  }
  return save(ask, account, seen, {
    name,
    description: describe(line, before),
    pwd: hasPassword(config, [password]) ? undefined : bytesOf(password),
    // What is not sent stays, but for this.
    settings: [['services', config.get('services') ?? '']],
  });
}

/** An account as the file has it if that makes it the panel's, and as OSCam has it in memory otherwise: half of a file may be written. */
async function ownOrElse(ask: Ask, seen: Look, name: string, isOwn: (config: Config) => boolean) {
  const config = await configIn(ask, seen, name);
  if (!config || isOwn(config)) return config;
  return (await readAccount(ask, name)).config;
}

/** An account of another line is the panel's only if it was delivered. */
async function remove(ask: Ask, seen: Look, username: string, options: RemoveOptions) {
  const { onServer, lines, before } = options;
  const name = nameAmong([...seen.names, ...seen.inFile.keys()], username);
  const isOwn = (config: Config) => {
    const mark = markOf(config.get('description'));
    if (!mark) return onServer && hasPassword(config, [before]);
    return onServer || mark.line === null || lines.includes(mark.line);
  };
  const config = await ownOrElse(ask, seen, name, isOwn);
  if (config && !isOwn(config)) return byHand();
  const check: Check = (after) => {
    if (after.names.has(name)) return changedThere;
    return markOf(after.inFile.get(name)?.get('description')) ? unwritten : { ok: true };
  };
  if (!config) return check(seen);
  // It answers the same whatever came of it.
  await ask({ path: actionOn('delete', name) });
  return check;
}

/** A wanted change of an account. */
type Change =
  | { account: WantedAccount; options: PutOptions }
  | { username: string; options: RemoveOptions };

/** OSCam waits 100 ms before each answer, however many wait; it makes one save after the other. */
const TOGETHER = 4;

/** Waits for all, so that none is under way any more when one has failed. */
async function all<T>(calls: readonly (T | Promise<T>)[]): Promise<T[]> {
  await Promise.allSettled(calls);
  return Promise.all(calls);
}

/** A look that is not older says what there is. */
const FRESH_MS = 200;

/** One of several changes may end in a finding, which says nothing of the others. */
const make = (ask: Ask, seen: Look, change: Change) =>
  ('account' in change
    ? put(ask, seen, change.account, change.options)
    : remove(ask, seen, change.username, change.options)
  ).catch(resultOf);

/** Changes of one run. */
const AT_ONCE = 8;
/** Saves are begun for so long; the rest of the deadline is for the look at all of them. */
const SAVING_MS = 4000;

type Waiting = PromiseWithResolvers<PushResult> & { change: Change; since: number };

/**
 * Makes changes to accounts, of which no two have one name: a look at what there is, a save each, and a look at what came
 * of them, which is that before the changes that follow at once. What is not there as it was saved is made again.
 */
async function changeAll(ask: Ask, run: readonly Waiting[], last: Look | undefined) {
  if (run.length === 0) return undefined;
  const startedAt = performance.now();
  let seen = last && startedAt - last.at < FRESH_MS ? last : await look(ask);
  let waiting = run;
  for (let round = 1; waiting.length > 0; round += 1) {
    const before = seen;
    const again: Waiting[] = [];
    const checks = new Map<Waiting, Check>();
    const end = (one: Waiting, outcome: PushResult | Again) => {
      if (!('again' in outcome)) one.resolve(outcome);
      else if (round < ROUNDS) again.push(one);
      else one.resolve(refusedWith(outcome.again));
    };
    const begin = async (one: Waiting) => {
      const isLate = round === 1 && performance.now() - startedAt > SAVING_MS;
      if (isLate) return one.resolve(untried);
      const made = await make(ask, before, one.change);
      if (typeof made === 'function') checks.set(one, made);
      else end(one, made);
    };
    for (let from = 0; from < waiting.length; from += TOGETHER) {
      await all(waiting.slice(from, from + TOGETHER).map(begin));
    }
    if (checks.size === 0 && again.length === 0) break;
    seen = await look(ask);
    for (const [one, check] of checks) end(one, await check(seen));
    waiting = again;
  }
  return seen;
}

/** Changes that wait for their turn at a web interface, by how it is asked. */
const waitingByServer = new Map<string, Waiting[]>();

/** Other facts of a server, such as its status, may differ from one change to the next. */
const keyOf = ({ host_ip, api_port, api_scheme, username, password, ...trust }: WebifServer) =>
  JSON.stringify([
    ...[host_ip, api_port, api_scheme, username, password],
    ...[trust.tls_fingerprint, trust.plain_http_allowed],
  ]);

const nameOf = (change: Change) =>
  'account' in change ? change.account.username : change.username;

/** Takes changes of different names out of those that wait. What has waited too long is not tried. */
function takeRun(waiting: Waiting[]): Waiting[] {
  const run = new Map<string, Waiting>();
  const rest: Waiting[] = [];
  for (const one of waiting.splice(0)) {
    const name = nameOf(one.change);
    if (performance.now() - one.since > WAIT_MS) one.resolve(untried);
    else if (run.size < AT_ONCE && !run.has(name)) run.set(name, one);
    else rest.push(one);
  }
  waiting.push(...rest);
  return [...run.values()];
}

async function serve(
  outbound: Outbound,
  server: WebifServer,
  signal: AbortSignal | undefined,
  waiting: Waiting[],
  last: Look | undefined,
): Promise<Look | undefined> {
  let run: Waiting[] = [];
  try {
    return await askWebif(outbound, server, signal, (ask) => {
      run = takeRun(waiting);
      return changeAll(ask, run, last);
    });
  } catch (error) {
    // Those whose turn did not come have no run.
    for (const { resolve, reject } of run.length === 0 ? waiting.splice(0) : run) {
      if (error instanceof CallsEnded) resolve(error.result);
      else reject(error);
    }
    return undefined;
  }
}

/** Makes a change together with all others that wait for this web interface: a look before and one after serve them all. */
export function changeInRun(
  outbound: Outbound,
  server: WebifServer,
  signal: AbortSignal | undefined,
  change: Change,
): Promise<PushResult> {
  const key = keyOf(server);
  const own = { ...Promise.withResolvers<PushResult>(), change, since: performance.now() };
  const known = waitingByServer.get(key);
  if (known) {
    known.push(own);
  } else {
    const waiting = [own];
    waitingByServer.set(key, waiting);
    const serveAll = async () => {
      let seen: Look | undefined;
      while (waiting.length > 0) seen = await serve(outbound, server, signal, waiting, seen);
      waitingByServer.delete(key);
    };
    serveAll();
  }
  return own.promise;
}

/** Makes an account of the operator's own the panel's, which changes its description alone. */
export async function markAccount(
  ask: Ask,
  name: string,
  line: string | undefined,
  config: Config,
): Promise<boolean> {
  const page = await saveFields(ask, [
    ['user', name],
    ['description', describe(line, config.get('description'))],
    ['services', config.get('services') ?? ''],
  ]);
  return page.includes(SAVED);
}
