import type { Finding } from '@linekeeper/contract/findings.ts';
import type { Rights } from '@linekeeper/contract/servers/rights.ts';
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
  isSameRight,
  readFile,
  readFileAccounts,
  servicesIn,
} from '@linekeeper/oscam/user-file.ts';
import type { Outbound } from '../../../../platform/http-client/request.ts';
import type { PushResult } from '../client.ts';
import type { PutOptions, RemoveOptions, WantedAccount } from '../driver.ts';
import { rightsToWrite } from '../rights.ts';
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

/** Attempts at a change whose result differs from what was saved, at most. */
const ROUNDS = 3;
/** Bytes of `services` that OSCam reads, at most; a save loses all others. */
const SERVICES_BYTES = 1000;
/** The group that OSCam gives to an account that is created in its web interface. */
const FIRST_GROUP = '1';
/** Settings of an account that identify it and limit its time; all others are its rights. */
const OWN_SETTINGS = ['user', 'pwd', 'disabled', 'expdate', 'description'];

/** Settings of an account in OSCam's memory or its file, as bytes. */
type Config = ReadonlyMap<string, string>;
type Field = readonly [string, string];

/** A change that has to be repeated, with the finding if that does not help. */
type Again = { again: Finding };
const changedThere: Again = { again: { code: 'CHANGED_THERE', data: {} } };
const unwritten: Again = { again: { code: 'OSCAM_NOT_WRITTEN', data: {} } };

const byHand = (kind: 'KEPT_BY_HAND' | 'SHARED_BY_HAND' = 'KEPT_BY_HAND'): PushResult => ({
  ok: false,
  kind,
  reason: 'oscam.user',
});

/**
 * The mark in an account's `description` that makes it the panel's, and names its line: `Linekeeper <id>`, followed by
 * the operator's own words. Texts of accounts are bytes, one latin1 character each.
 */
const MARK = /^Linekeeper(?: ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}))?(?: \| (.*))?$/s;

export type Mark = { line: string | null; words: string };

/**
 * Reads the panel's mark from the `description` of an OSCam account: the id of its line, and the words of the operator
 * behind it. Null if the account is not the panel's.
 */
export function markOf(description: string | undefined): Mark | null {
  const mark = MARK.exec(description ?? '');
  return mark && { line: mark[1] ?? null, words: mark[2] ?? '' };
}

/** The description of a line's account, with the operator's words but no line break, which would begin a setting. */
function describe(line: string | undefined, before: string | undefined): string {
  // Only bytes up to 0x7f are replaced, because higher ones may be part of a letter in an unknown encoding.
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

/** Reads the accounts of the file on the disk; no accounts if OSCam has not created the file yet. */
export async function readUserFile(ask: Ask): Promise<FileAccount[]> {
  return readFileAccounts(readFile(await ask({ path: USER_FILE })) ?? '');
}

/** Accounts of the file by name in bytes. If two accounts have the same name, OSCam uses the first. */
export const byName = (file: readonly FileAccount[]) =>
  new Map(file.toReversed().map((account) => [account.get('user') ?? '', account]));

/** The usernames in OSCam's memory, and the accounts in its file, which OSCam rewrites from memory at every save. */
type Look = {
  at: number;
  /** The usernames as bytes, one latin1 character each. */
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

/** Accounts missing from the file whose owner the panel looks up, at most. */
const ASKED = 20;

/**
 * True if a full disk has cut accounts off the file that OSCam still has in memory. OSCam would lose them if it read
 * the file. If only a few accounts without the mark of the panel are missing, the operator has removed them on purpose.
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

/**
 * The bytes of a username in the encoding that OSCam uses for it; its UTF-8 bytes if OSCam does not have the username.
 */
export function nameAmong(names: Iterable<string>, username: string): string {
  const bytes = bytesOf(username);
  if (bytes === username) return bytes;
  const known = [...names].filter((name) => isText(name, username));
  return known.includes(bytes) ? bytes : (known[0] ?? bytes);
}

/**
 * Throws OSCAM_READ_ONLY if OSCam's web interface is read-only. OSCam applies that setting on some
 * pages only, and the panel on all.
 */
export function refuseReadOnly({ isReadOnly }: Head): void {
  if (isReadOnly) throw endedWith({ code: 'OSCAM_READ_ONLY', data: {} });
}

export const isDisabled = (config: Config) => !/^0*$/.test(config.get('disabled') ?? '');

/** True if the account has a password that was delivered. An empty one proves nothing. */
const hasPassword = (config: Config, passwords: readonly (string | undefined)[]) =>
  passwords.some((one) => one && isText(config.get('pwd') ?? '', one));

/**
 * True if the account is the panel's own. An account without a mark was adopted, or its mark was
 * removed in OSCam's own form.
 */
function isOurs(config: Config, account: WantedAccount, { onServer, before }: PutOptions): boolean {
  const mark = markOf(config.get('description'));
  if (!mark) return onServer && hasPassword(config, [account.password, before]);
  return onServer || mark.line === null || mark.line === account.line;
}

const copied = (former: Config): Field[] =>
  [...former].filter(([key, value]) => value !== '' && !OWN_SETTINGS.includes(key));

/**
 * The OSCam group for a new account: the one that all accounts of the panel in `file` share. Null if they have several
 * groups or none.
 */
export function groupOfNew(file: readonly FileAccount[]): string | null {
  const own = file.filter((account) => markOf(account.get('description')));
  const groups = new Set(own.map((account) => account.get('group') ?? ''));
  const [group = ''] = groups;
  return groups.size === 1 && group ? group : null;
}

/** An account that OSCam has in memory, with its settings from the file, or else from OSCam's page. */
async function configIn(ask: Ask, seen: Look, name: string): Promise<Config | undefined> {
  if (!seen.names.has(name)) return undefined;
  return seen.inFile.get(name) ?? (await readAccount(ask, name)).config;
}

/**
 * Settings of a new account, and its password's bytes. They are copied from the line's former account; without one,
 * only the group of the panel's other accounts is.
 */
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

/**
 * The fields for a plan's rights. A right that is no longer among them gets OSCam's default. A missing group becomes
 * the one that the panel's other accounts share, because an account without a group has no access to cards.
 */
function rightsFields(seen: Look, rights: Rights | undefined, before: Rights | undefined): Field[] {
  const isOther = (account: FileAccount) =>
    !isSameRight('group', account.get('group') ?? '', before?.oscam?.group ?? '');
  const unsaid = (key: string) =>
    key === 'group' ? (groupOfNew(seen.file.filter(isOther)) ?? FIRST_GROUP) : '';
  const fields = Object.entries(rightsToWrite(rights, before)?.oscam ?? {});
  return fields.map(([key, value]) => [key, value ?? unsaid(key)]);
}

/** The rights that an account lacks. Of a list of services, only the missing ones are returned. */
const lackedBy = (config: Config, rights: readonly Field[]) =>
  rights.flatMap(([key, wanted]) => {
    const found = config.get(key) ?? '';
    if (isSameRight(key, wanted, found)) return [];
    const known = servicesIn(found);
    const missing = servicesIn(wanted).filter((name) => !known.includes(name));
    const isLacked = key === 'services' && missing.length > 0;
    return [`${key} = ${isLacked ? missing.join(',') : wanted}`];
  });

/** True if an account of the operator's own shares the first bytes of this name, all that CCcam compares. */
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

/** Checks after a change whether it is in OSCam's memory and in its file; on a full disk the file lacks it. */
type Check = (after: Look) => Promise<PushResult | Again> | PushResult | Again;

type Saved = {
  name: string;
  description: string;
  /** The bytes of the new password; undefined if it stays. */
  pwd: string | undefined;
  settings: readonly Field[];
  /** The rights of the plan, which override settings. */
  rights: readonly Field[];
};

const checkSaved =
  (ask: Ask, account: WantedAccount, { name, description, rights }: Saved): Check =>
  async (after) => {
    if (!after.names.has(name)) return changedThere;
    const written = after.inFile.get(name);
    const isWritten =
      written &&
      isAsWanted(written, account, description) &&
      dayOf(written) === account.expiry_date;
    // OSCam saves everything from its memory, so if the file has the change, both have it.
    if (isWritten) {
      const fields = lackedBy(written, rights);
      return fields.length === 0
        ? { ok: true }
        : refusedWith({ code: 'RIGHTS_NOT_KEPT', data: { fields } });
    }
    const { config } = await readAccount(ask, name);
    return config && isAsWanted(config, account, description) ? unwritten : changedThere;
  };

/** Saves settings of an account, and returns OSCam's page. Throws SERVICES_TOO_LONG. */
async function saveFields(ask: Ask, fields: readonly Field[]): Promise<string> {
  const services = fields.find(([key]) => key === 'services')?.[1] ?? '';
  if (services.length > SERVICES_BYTES) throw endedWith({ code: 'SERVICES_TOO_LONG', data: {} });
  return ask({ path: EDIT, form: [...fields, ['action', 'Save']] });
}

/** Saves a whole account. Throws SERVICES_TOO_LONG, and NOT_OSCAM for a page of another program. */
async function save(ask: Ask, account: WantedAccount, seen: Look, saved: Saved) {
  const { name, description, pwd, settings, rights } = saved;
  const page = await saveFields(ask, [
    ['user', name],
    // A correct password is not sent, because its bytes may not be valid UTF-8.
    ...(pwd === undefined ? [] : [['pwd', pwd] as const]),
    ['disabled', account.is_suspended ? '1' : '0'],
    ['expdate', account.expiry_date],
    ['description', description],
    // OSCam uses the last of repeated fields, but all services.
    ...new Map([...settings, ...rights]),
  ]);
  seen.names.add(name);
  seen.inFile.set(name, new Map([['description', description]]));
  if (page.includes(NOT_WRITTEN)) return unwritten;
  if (!page.includes(SAVED)) throw endedWith({ code: 'NOT_OSCAM', data: {} });
  return checkSaved(ask, account, saved);
}

async function put(ask: Ask, seen: Look, account: WantedAccount, options: PutOptions) {
  const { username, password, line } = account;
  const name = nameAmong(seen.names, username);
  const config = await ownOrElse(ask, seen, name, (one) => isOurs(one, account, options));
  const rights = rightsFields(seen, account.rights, options.rightsBefore);
  if (!config) {
    const made = await settingsOfNew(ask, seen, account);
    // A suspended line without an account cannot connect, so no account is created.
    if (account.is_suspended && made.before === undefined) return { ok: true } as const;
    if (isShared(seen, name, account.formerly)) return byHand('SHARED_BY_HAND');
    const pwd = made.pwd ?? bytesOf(password);
    const description = describe(line, made.before);
    return save(ask, account, seen, { ...made, name, pwd, description, rights });
  }
  if (!isOurs(config, account, options)) return byHand();
  const before = config.get('description');
  const mark = markOf(before);
  if (!options.isAdopted && mark?.line && line && mark.line !== line) {
    // This account belonged to a line that was deleted before the present one was sold. The new line must not get its
    // rights.
    await ask({ path: actionOn('delete', name) });
    return changedThere;
  }
  return save(ask, account, seen, {
    name,
    description: describe(line, before),
    pwd: hasPassword(config, [password]) ? undefined : bytesOf(password),
    // OSCam keeps the value of a field that is not sent, but clears the services.
    settings: [['services', config.get('services') ?? '']],
    rights,
  });
}

/**
 * An account with its settings: from the file if the file marks it as the panel's, and otherwise from OSCam's memory,
 * because the file may be half written.
 */
async function ownOrElse(ask: Ask, seen: Look, name: string, isOwn: (config: Config) => boolean) {
  const config = await configIn(ask, seen, name);
  if (!config || isOwn(config)) return config;
  return (await readAccount(ask, name)).config;
}

/** Removes an account. An account with the mark of another line is removed only if the panel has delivered it. */
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
  // OSCam gives the same response whether it has deleted the account or not.
  await ask({ path: actionOn('delete', name) });
  return check;
}

/** A wanted change of an account. */
type Change =
  | { account: WantedAccount; options: PutOptions }
  | { username: string; options: RemoveOptions };

/** Requests at the same time, at most: OSCam waits 100 ms before each response, and saves one after the other. */
const TOGETHER = 4;

/** Waits for all calls, so that none is still running when the first failure is thrown. */
async function all<T>(calls: readonly (T | Promise<T>)[]): Promise<T[]> {
  await Promise.allSettled(calls);
  return Promise.all(calls);
}

/** Milliseconds for which a look at OSCam's accounts counts as current. */
const FRESH_MS = 200;

/** Makes one of several changes. Its finding does not stop the others. */
const make = (ask: Ask, seen: Look, change: Change) =>
  ('account' in change
    ? put(ask, seen, change.account, change.options)
    : remove(ask, seen, change.username, change.options)
  ).catch(resultOf);

/** Changes of one run, at most. */
const AT_ONCE = 8;
/** Milliseconds within which saves begin; the rest of the deadline is for reading the results. */
const SAVING_MS = 4000;

type Waiting = PromiseWithResolvers<PushResult> & { change: Change; since: number };

/**
 * Makes changes to accounts with different names: reads the present state, saves each change, and reads the result,
 * which is also the first state of the next run. A change with another result than it was saved with is repeated.
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

/** The changes that wait for their turn at each web interface, by its address and credentials. */
const waitingByServer = new Map<string, Waiting[]>();

/** The key of a web interface. Other facts of a server, such as its status, may differ from one change to the next. */
const keyOf = ({ host_ip, api_port, api_scheme, username, password, ...trust }: WebifServer) =>
  JSON.stringify([
    ...[host_ip, api_port, api_scheme, username, password],
    ...[trust.tls_fingerprint, trust.plain_http_allowed],
  ]);

const nameOf = (change: Change) =>
  'account' in change ? change.account.username : change.username;

/**
 * Removes waiting changes with different names from the queue, for one run. A change that has
 * waited too long is not tried.
 */
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
    // If the run is empty, the error is for all waiting changes.
    for (const { resolve, reject } of run.length === 0 ? waiting.splice(0) : run) {
      if (error instanceof CallsEnded) resolve(error.result);
      else reject(error);
    }
    return undefined;
  }
}

/**
 * Makes a change together with all other changes that wait for the same web interface. The accounts are read once
 * before and once after all of them.
 */
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

/** Marks an account of the operator as the panel's, by changing only its description. */
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
