import { addDays } from '@linekeeper/contract/dates.ts';
import type { Finding } from '@linekeeper/contract/findings.ts';
import { bytesOf, textOf } from '@linekeeper/oscam/bytes.ts';
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
import type { PushResult } from '../client.ts';
import type { PutOptions, RemoveOptions, WantedAccount } from '../driver.ts';
import { Found } from './ask-webif.ts';
import { describe, markOf } from './mark.ts';

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

export async function readAccount(ask: Ask, username: string) {
  const body = await ask({ path: configOf(username) });
  return { head: readHead(body), config: readUserConfig(body) };
}

/** The accounts of the file on the disk; undefined if this OSCam does not show it. */
export async function readUserFile(ask: Ask): Promise<FileAccount[] | undefined> {
  const text = readFile(await ask({ path: USER_FILE }));
  return text === undefined ? undefined : readFileAccounts(text);
}

/** Of so many accounts that the file lacks it is asked whose they are. */
const ASKED = 20;

/**
 * Whether a full disk has left the file without accounts that OSCam has in memory, which reading it would lose for good.
 * An operator who takes a few of their own out by hand wants them gone.
 */
export async function isFileCut(ask: Ask, file: readonly FileAccount[] | undefined) {
  if (!file) return false;
  const written = new Set(file.map((account) => account.get('user')));
  const names = readNames(await ask({ path: STATS }));
  const lacking = names.filter((name) => !written.has(name));
  if (2 * lacking.length > names.length) return true;
  for (const name of lacking.slice(0, ASKED)) {
    const { config } = await readAccount(ask, textOf(name));
    if (markOf(config?.get('description'))) return true;
  }
  return false;
}

export const inFile = (file: readonly FileAccount[], username: string) =>
  file.find((account) => account.get('user') === bytesOf(username));

/** OSCam obeys its setting in some pages only, so that the panel obeys it in all. */
export function refuseReadOnly({ isReadOnly }: Head): void {
  if (isReadOnly) throw new Found({ code: 'OSCAM_READ_ONLY', data: {} });
}

/**
 * OSCam prints the last second of a day in UTC: west of Greenwich it is the next day there. Whether a zone is west on
 * that day is not known where its clocks change.
 */
export function isDay(printed: string | undefined, day: string, { zone }: Head): boolean {
  if (printed === day) return true;
  return zone !== null && zone <= 0 && printed === addDays(day, 1);
}

/** The day that OSCam printed, as it was meant; of zones at Greenwich, which print it as it is. */
export function meantDay(printed: string | undefined, { zone }: Head): string | null {
  if (!printed) return null;
  return zone !== null && zone < 0 ? addDays(printed, -1) : printed;
}

export const isDisabled = (config: Config) => !/^0*$/.test(config.get('disabled') ?? '');

/** Whether an account has a password that was delivered: an empty one is nobody's. */
const hasPassword = (config: Config, passwords: readonly (string | undefined)[]) =>
  passwords.some((one) => one && config.get('pwd') === bytesOf(one));

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

/** Settings of a new account: those of the line under its name of before, or the group of the panel's other accounts. */
async function settingsOfNew(ask: Ask, { line, formerly, password }: WantedAccount) {
  const file = await readUserFile(ask);
  if (formerly !== undefined) {
    const known = inFile(file ?? [], formerly) ?? (await readAccount(ask, formerly)).config;
    const mark = markOf(known?.get('description'));
    const isFormer = known && line && (mark ? mark.line === line : hasPassword(known, [password]));
    if (isFormer) return { settings: copied(known), before: known.get('description') ?? '' };
  }
  const group = groupOfNew(file ?? []);
  const settings: Field[] = group === null ? [] : [['group', group]];
  return { settings, before: undefined };
}

/** Whether an account of the operator's own has the first bytes of this name, all that CCcam's sign-in compares. */
async function isShared(ask: Ask, { username, formerly }: WantedAccount): Promise<boolean> {
  const bytes = bytesOf(username);
  if (bytes.length < COMPARED_BYTES) return false;
  const begin = bytes.slice(0, COMPARED_BYTES);
  const others = readNames(await ask({ path: STATS })).filter(
    (name) => name !== bytes && name.startsWith(begin) && name !== bytesOf(formerly ?? username),
  );
  if (others.length === 0) return false;
  const file = (await readUserFile(ask)) ?? [];
  return others.some((name) => {
    const other = file.find((account) => account.get('user') === name);
    return !other || !markOf(other.get('description'));
  });
}

function isAsWanted(config: Config, account: WantedAccount, description: string): boolean {
  return (
    config.get('pwd') === bytesOf(account.password) &&
    isDisabled(config) === account.is_suspended &&
    config.get('description') === description
  );
}

/** Reads a saved account back, from OSCam's memory and from its file, which a full disk leaves without it. */
async function check(
  ask: Ask,
  account: WantedAccount,
  description: string,
  before: Head,
): Promise<PushResult | Again> {
  const { username, expiry_date } = account;
  const { head, config } = await readAccount(ask, username);
  // Restarted meanwhile: what it has now is what its file had.
  if (!config || head.started_at !== before.started_at) return changedThere;
  if (!isAsWanted(config, account, description)) return changedThere;
  if (!isDay(config.get('expdate'), expiry_date, head)) return changedThere;
  const file = await readUserFile(ask);
  if (!file) return { ok: true };
  const written = inFile(file, username);
  const isWritten =
    written && isAsWanted(written, account, description) && dayOf(written) === expiry_date;
  return isWritten ? { ok: true } : unwritten;
}

async function save(
  ask: Ask,
  account: WantedAccount,
  head: Head,
  { settings, before }: { settings: readonly Field[]; before: string | undefined },
): Promise<PushResult | Again> {
  const { username, password, expiry_date, is_suspended, line } = account;
  const description = describe(line, before);
  const services = settings.find(([key]) => key === 'services')?.[1] ?? '';
  if (services.length > SERVICES_BYTES) throw new Found({ code: 'SERVICES_TOO_LONG', data: {} });
  const said = await ask({
    path: EDIT,
    form: [
      ['user', bytesOf(username)],
      ['pwd', bytesOf(password)],
      ['disabled', is_suspended ? '1' : '0'],
      ['expdate', expiry_date],
      ['description', description],
      ...settings,
      ['action', 'Save'],
    ],
  });
  if (said.includes(NOT_WRITTEN)) return unwritten;
  if (!said.includes(SAVED)) throw new Found({ code: 'NOT_OSCAM', data: {} });
  return check(ask, account, description, head);
}

async function putOnce(
  ask: Ask,
  account: WantedAccount,
  options: PutOptions,
): Promise<PushResult | Again> {
  const { head, config } = await readAccount(ask, account.username);
  refuseReadOnly(head);
  if (!config) {
    const made = await settingsOfNew(ask, account);
    // A suspended line that is not there is kept out as well.
    if (account.is_suspended && made.before === undefined) return { ok: true };
    if (await isShared(ask, account)) return byHand('SHARED_BY_HAND');
    return save(ask, account, head, made);
  }
  if (!isOurs(config, account, options)) return byHand();
  const before = config.get('description');
  const mark = markOf(before);
  if (!options.isAdopted && mark?.line && account.line && mark.line !== account.line) {
    // The account of a line that was deleted before this one was sold: what it may do is not this one's.
    await ask({ path: actionOn('delete', account.username) });
    return changedThere;
  }
  // What is not sent stays, but for this.
  return save(ask, account, head, {
    settings: [['services', config.get('services') ?? '']],
    before,
  });
}

async function inRounds(once: () => Promise<PushResult | Again>): Promise<PushResult> {
  for (let round = 1; ; round += 1) {
    const outcome = await once();
    if (!('again' in outcome)) return outcome;
    if (round >= ROUNDS) return { ok: false, kind: 'refused', reason: '', finding: outcome.again };
  }
}

/** Brings an account to the wanted state, and reads it back. */
export function putAccount(
  ask: Ask,
  account: WantedAccount,
  options: PutOptions,
): Promise<PushResult> {
  return inRounds(() => putOnce(ask, account, options));
}

/** Removes an account of the panel's; that of another line is the panel's only if it was delivered. */
export function removeAccount(
  ask: Ask,
  username: string,
  { onServer, lines, before }: RemoveOptions,
): Promise<PushResult> {
  return inRounds(async () => {
    const { head, config } = await readAccount(ask, username);
    refuseReadOnly(head);
    if (config) {
      const mark = markOf(config.get('description'));
      const isOwn = mark
        ? onServer || mark.line === null || lines.includes(mark.line)
        : onServer && hasPassword(config, [before]);
      if (!isOwn) return byHand();
      await ask({ path: actionOn('delete', username) });
      // It answers the same whatever came of it.
      if ((await readAccount(ask, username)).config) return changedThere;
    }
    const left = inFile((await readUserFile(ask)) ?? [], username);
    return left && markOf(left.get('description')) ? unwritten : { ok: true };
  });
}

/** Makes an account of the operator's own the panel's, which changes its description alone. */
export async function markAccount(
  ask: Ask,
  username: string,
  line: string | undefined,
  config: Config,
): Promise<boolean> {
  const services = config.get('services') ?? '';
  if (services.length > SERVICES_BYTES) throw new Found({ code: 'SERVICES_TOO_LONG', data: {} });
  const said = await ask({
    path: EDIT,
    form: [
      ['user', bytesOf(username)],
      ['description', describe(line, config.get('description'))],
      ['services', services],
      ['action', 'Save'],
    ],
  });
  return said.includes(SAVED);
}
