import { callOf } from '../../../../../scripts/commands.mjs';
import { metricOf, type PanelFacts } from '../panel-facts.ts';

/** What was found on the machine. A text is the reason of a failure; null means that there is none. */
export interface Facts extends PanelFacts {
  settings: { problem: string | null; warnings: string[] };
  /** The reason why the panel's port cannot be opened; null if it can, or if the panel responds there. */
  port: string | null;
  disks: { setting: string; folder: string; free_bytes: number; share: number }[];
  /** True if the clock is synchronized; null if the machine does not report it. */
  is_clock_right: boolean | null;
  /** The reason why the database cannot be used; null if it can, or if a running panel reports the reason itself. */
  database: string | null;
  key: string | null;
  /** PUBLIC_URL, and why it does not lead to the panel that runs. */
  public_url: { url: string; problem: string | null } | null;
  now: Date;
}

export interface Finding {
  check: string;
  level: 'ok' | 'notice' | 'fault';
  text: string;
  todo: string | null;
}

const LEAST_FREE_BYTES = 64 * 1024 ** 2;
const LEAST_SHARE = 0.2;
/** Seconds by which a scheduled backup may be late, as in the alarm. */
const BACKUP_MAY_BE_LATE = 2 * 3600;
const PUSH_MAY_WAIT = 300;

type Check = (facts: Facts) => Finding[];

const finding =
  (level: Finding['level']) =>
  (check: string, text: string, todo: string | null = null): Finding => ({
    check,
    level,
    text,
    todo,
  });
const [ok, notice, fault] = [finding('ok'), finding('notice'), finding('fault')];

const settings: Check = ({ settings: { problem, warnings } }) => [
  problem === null
    ? ok('settings', 'The settings are valid')
    : fault('settings', problem, 'Correct the settings file, then restart the panel'),
  ...warnings.map((text) => notice('settings', text, 'Correct the name in the settings file')),
];

const panel: Check = ({ health, port, settings: { problem } }) => {
  if (health) return [ok('panel', `The panel responds, version ${health.version}`)];
  if (port !== null) {
    return [fault('port', port, 'End the program that uses the port, or set another PORT')];
  }
  if (problem !== null) return [];
  const start = `systemctl start linekeeper starts it. If it is starting, run this again in a minute. If it ends again, ${callOf('logs')} shows the reason`;
  return [fault('panel', 'The panel does not respond', start)];
};

const address: Check = ({ health, public_url }) => {
  if (!health || !public_url) return [];
  const { url, problem } = public_url;
  if (problem === null) return [ok('address', `${url} leads to the panel`)];
  // A router may not lead a machine to its own public address.
  const todo = `Open it elsewhere. If it does not respond there either, check the name, the proxy and its certificate`;
  return [
    notice('address', `From this machine, ${url} does not lead to the panel: ${problem}`, todo),
  ];
};

const database: Check = ({ health, ready, database: problem }) => {
  if (ready?.database === 'full') {
    const space = 'Make space on the disk. The panel recovers on its own';
    return [fault('database', 'The database accepts no changes', space)];
  }
  if (ready?.migrations === 'pending') {
    return [fault('database', 'The schema is not the one of this version', 'Restart the panel')];
  }
  if (ready?.status === 'ok') return [ok('database', 'The database responds')];
  const reason = health?.reason ?? problem;
  if (!health && reason === null) return [];
  const todo = 'Check that the database runs, and that DATABASE_URL or DATA_DIR is correct';
  return [fault('database', `The database is not available: ${reason ?? 'no response'}`, todo)];
};

const key: Check = ({ key: problem }) => [
  problem === null
    ? ok('key', 'The key can be read')
    : fault('key', problem, 'Put the key back from your copy, with the panel’s user as its owner'),
];

const disks: Check = (facts) =>
  facts.disks.map(({ setting, folder, free_bytes, share }) => {
    const free = `${Math.floor(free_bytes / 1024 ** 2)} MB (${Math.floor(share * 100)}%) are free in ${folder}`;
    const todo = `Make space on the disk of ${setting}`;
    if (free_bytes < LEAST_FREE_BYTES) return fault('disk', free, todo);
    return share < LEAST_SHARE ? notice('disk', free, todo) : ok('disk', free);
  });

const clock: Check = ({ is_clock_right }) => {
  if (is_clock_right === null) return [];
  if (is_clock_right) return [ok('clock', 'The clock is synchronized')];
  const todo =
    'Install systemd-timesyncd: with a wrong clock, two-factor codes fail, and lines expire on the wrong day';
  return [notice('clock', 'The clock is not synchronized', todo)];
};

const backups: Check = ({ metrics, now }) => {
  const value = (name: string) => metricOf(metrics, `linekeeper_backup_${name}`);
  const interval = value('interval_seconds');
  if (interval === null) return [];
  if (interval === 0) {
    const todo = 'Set BACKUP_SCHEDULE and BACKUP_DIR, then restart the panel';
    return [notice('backups', 'There are no scheduled backups', todo)];
  }
  const made = value('last_made_timestamp_seconds') ?? 0;
  const todo = 'The audit log has the reason: often a full disk or a missing folder';
  if ((value('last_failed_timestamp_seconds') ?? 0) > made) {
    return [fault('backups', 'The last scheduled backup failed', todo)];
  }
  const newest = made
    ? `The last scheduled backup was made on ${new Date(made * 1000).toISOString()}`
    : 'No scheduled backup has been made yet';
  const isLate = now.getTime() / 1000 - made > interval + BACKUP_MAY_BE_LATE;
  return [
    isLate
      ? fault('backups', `A scheduled backup is overdue. ${newest}`, todo)
      : ok('backups', newest),
  ];
};

/** The doctor calls no card server itself: it may run as another user, and the panel's network counts. */
const toPanel = ' to the panel, which calls it every minute';

const servers: Check = ({ metrics }) =>
  metrics
    .filter(({ name }) => name === 'linekeeper_server_up')
    .map(({ labels: { server = '' }, value }) =>
      value === 1
        ? ok('servers', `The card server ${server} responds${toPanel}`)
        : fault(
            'servers',
            `The card server ${server} does not respond${toPanel}`,
            'Its card under CCcam Servers has the reason. Check its agent or web interface, and the firewall',
          ),
    );

const pushes: Check = ({ metrics }) => {
  const oldest = metricOf(metrics, 'linekeeper_pushes_oldest_seconds') ?? 0;
  if (oldest <= PUSH_MAY_WAIT) return [];
  const text = `${metricOf(metrics, 'linekeeper_pushes_due')} changes are pending, the oldest for ${Math.floor(oldest / 60)} minutes`;
  return [fault('pushes', text, 'The number on the server’s card opens the list with the reasons')];
};

const checks = [settings, panel, address, database, key, disks, clock, backups, servers, pushes];

/** What the facts mean, and what to do about each fault. */
export const diagnose = (facts: Facts): Finding[] => checks.flatMap((check) => check(facts));
