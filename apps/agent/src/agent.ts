import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { createCalls } from './calls.ts';
import { openEndDay } from './end-day.ts';
import { checkOptions } from './files/cccam-cfg.ts';
import { checkGroups } from './files/oscam-user.ts';
import { type OwnFolder, openOwnFolder } from './files/own-folder.ts';
import { openRenderedFiles, RENDERED_NAMES } from './files/rendered-files.ts';
import { attempted, causeOf, type Log } from './log.ts';
import { openCommand } from './reload/command.ts';
import { openReloads, openUnread, type ReadOutcome, type ReloadTimes } from './reload/reloads.ts';
import { openWebif } from './reload/webif.ts';
import { findRightsChoices } from './rights-choices.ts';
import { openServer } from './server.ts';
import { openCccamSessions } from './sessions/cccam.ts';
import { openOscamSessions, openSessions, type SessionsSource } from './sessions/sessions.ts';
import { readSettings, type Settings } from './settings.ts';
import type { Account } from './store.ts';

/** The default of each option: settings as in an empty environment. The options below the log are for tests. */
const usual = {
  ...readSettings({}),
  log: (() => {}) as Log,
  now: () => new Date(),
  /** Milliseconds between two readings of the clock. */
  checkEveryMs: 10_000,
  requestTimeoutMs: 15_000,
  /** Milliseconds for a reread, at most. */
  reloadMs: 10_000,
};

type Options = Settings & typeof usual & ReloadTimes;
export type AgentOptions = Partial<Options>;

export type Agent = Awaited<ReturnType<typeof startAgent>>;

/** Returns a function that gives the calendar day (YYYY-MM-DD) of an instant in `timeZone`. */
function calendarOf(timeZone: string): (instant: Date) => string {
  const numbers = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const format = attempted(() => {
    return new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', { timeZone, ...numbers });
  });
  if (!format) {
    throw new Error(`TIME_ZONE '${timeZone}' is not a known time zone (for example Europe/Berlin)`);
  }
  return (instant) => {
    const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, value]));
    return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`;
  };
}

function requireCredentials({ username, password }: Settings): void {
  if (!username)
    throw new Error('AGENT_USERNAME is missing: set the username that the panel signs in with');
  if (!password) throw new Error('AGENT_PASSWORD is missing: set the password for AGENT_USERNAME');
  // Basic authentication ends the username at the first colon.
  if (username.includes(':')) throw new Error('AGENT_USERNAME must not contain a colon');
}

function openFolder(dir: string): OwnFolder {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new Error(`cannot create AGENT_DIR ${dir}: ${causeOf(error)}`);
  }
  try {
    return openOwnFolder(dir, RENDERED_NAMES);
  } catch (error) {
    // SQLite's error message names neither the file nor its folder.
    if (error instanceof Error && !('code' in error)) throw error;
    throw new Error(`cannot open ${join(dir, 'agent.db')}: ${causeOf(error)}`);
  }
}

/** The reader of the settings: OSCam's web interface if there is one, because it reports what was read. */
function openReader({ reload, reloadMs, log }: Options) {
  const { webif, command } = reload;
  const warn = (message: string) => log({ level: 'warn', message });
  if (webif && command) warn('RELOAD_COMMAND is not used, because OSCAM_WEBIF_URL is set');
  if (webif) return openWebif(webif, reloadMs);
  return command && openCommand(command, { deadlineMs: reloadMs, warn });
}

/** The source of the sessions; undefined if the settings name none. */
function openSource(options: Options): SessionsSource | undefined {
  const { reload, info, reloadMs: deadlineMs, now } = options;
  if (reload.webif) return openOscamSessions(reload.webif, deadlineMs);
  return info && openCccamSessions(info, { deadlineMs, now });
}

function openDelivery(
  folder: OwnFolder,
  options: Options & { grants: Record<string, string> },
  today: () => string,
) {
  const { store } = folder;
  const { dir, grants, log, now } = options;
  const reader = openReader(options);
  const unread = openUnread(store.db, { now, today, isAsked: reader !== undefined });
  const isLive = ({ expiry_date }: Account) => expiry_date >= today();

  async function expectedOf(username: string) {
    // OSCam uses the operator's row for this name, not the agent's account.
    if ((await files.fileWithRow(username)) !== undefined) return [];
    const account = store.find(username);
    return [{ username, password: account && isLive(account) ? account.password : undefined }];
  }

  const reloads = openReloads({
    ...options,
    reader,
    unread,
    liveNames: () =>
      store
        .accounts()
        .filter(isLive)
        .map(({ username }) => username),
    expected: async (usernames) => (await Promise.all(usernames.map(expectedOf))).flat(),
  });
  const { rendered: onRendered } = reloads;
  const files = openRenderedFiles({
    dir,
    folder,
    today,
    grants,
    log,
    mark: unread.last,
    onRendered,
  });

  return {
    files,
    reloads,
    /** Writes the committed changes and has the card server read them. */
    async deliver(): Promise<ReadOutcome> {
      const change = unread.last();
      await files.render();
      return reloads.outcomeOf(change);
    },
  };
}

export async function startAgent(given: AgentOptions) {
  const options: Options = { ...usual, ...given, dir: resolve(given.dir ?? usual.dir) };
  const { timeZone, now, checkEveryMs } = options;
  requireCredentials(options);
  const dayOf = calendarOf(timeZone);
  const [group, fOptions] = [checkGroups(options.oscamGroup), checkOptions(options.cccamOptions)];
  const grants = { 'oscam.user': group, 'CCcam.cfg': fOptions };

  // Closed in reverse order, also when the start fails halfway.
  const opened = new AsyncDisposableStack();
  try {
    const folder = openFolder(options.dir);
    opened.defer(() => folder.close());

    const endDay = openEndDay(folder.store.db, () => dayOf(now()));
    const delivery = openDelivery(folder, { ...options, grants }, endDay.today);
    const { files, reloads } = delivery;
    opened.defer(() => files.close());
    opened.defer(() => reloads.close());
    await files.requireAlone();
    // Writes out the changes that the last run committed but did not render. A failure is logged and retried below; the
    // agent starts anyway, because an error reply is better for the panel than none.
    await files.render().catch(() => {});
    // The card server may have read any state of the files while the agent was not running. The
    // start does not wait for the reread.
    void reloads.readAgain();

    const about = async () => ({
      version: manifest.version,
      instance: folder.store.instance,
      message: 'Linekeeper agent',
      zone: timeZone,
      day: dayOf(now()),
      held_day: endDay.held(),
      accounts: folder.store.count(),
      // The panel's checks need more facts than the files themselves.
      ...(await files.countOperatorRows().catch(() => ({ by_hand: null, names_by_hand: null }))),
      // Rights of a line whose row the operator has not changed.
      grants: `group ${group}${fOptions && `; F options ${fOptions}`}`,
      not_written: files.notWritten(),
      reload: reloads.state(),
    });
    const source = openSource(options);
    opened.defer(() => source?.close());
    const sessions = openSessions(source, folder.store, files);
    const rightsChoices = () =>
      findRightsChoices(options.dir, options.reload.webif, options.reloadMs);
    const calls = createCalls({ ...delivery, folder, sessions, endDay, about, rightsChoices });
    const server = await openServer({ ...options, calls });
    opened.defer(() => server.stop());

    const timer = setInterval(() => {
      endDay.keep();
      if (files.isDue()) files.render().catch(() => {});
    }, checkEveryMs).unref();
    opened.defer(() => clearInterval(timer));

    let closed: Promise<void> | undefined;
    /** Finishes the requests in flight, then releases the port and the folder. */
    const close = () => {
      closed ??= opened.disposeAsync();
      return closed;
    };
    return { url: server.url, close };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}
