import { expect, test } from 'vitest';
import { readMetrics } from '../panel-facts.ts';
import { diagnose, type Facts } from './diagnose.ts';

const NOW = new Date('2026-11-30T12:00:00Z');
const at = (time: string) => Date.parse(`2026-11-${time}:00:00Z`) / 1000;

const figures = (more = '') =>
  readMetrics(`# HELP linekeeper_pushes_due Changes
linekeeper_pushes_due 3
linekeeper_pushes_oldest_seconds 10
linekeeper_backup_interval_seconds 86400
linekeeper_backup_last_made_timestamp_seconds ${at('30T03')}
linekeeper_backup_last_failed_timestamp_seconds 0
linekeeper_server_up{server="Say \\"hi\\", \\\\ {1}"} 1
${more}`);

const sound: Facts = {
  health: { status: 'ok', version: '1.9.0', reason: null },
  ready: { status: 'ok', database: 'ok', migrations: 'ok' },
  metrics: figures(),
  settings: { problem: null, warnings: [] },
  port: null,
  disks: [{ setting: 'DATA_DIR', folder: '/data', free_bytes: 2 ** 33, share: 0.5 }],
  is_clock_right: true,
  database: null,
  key: null,
  public_url: { url: 'https://panel.example', problem: null },
  now: NOW,
};
const silent = { health: null, ready: null, metrics: [] };
const faults = (facts: Partial<Facts>) =>
  diagnose({ ...sound, ...facts }).filter(({ level }) => level !== 'ok');
const metric = (name: string, value: number) =>
  sound.metrics.map((one) => (one.name === `linekeeper_${name}` ? { ...one, value } : one));

test('finds nothing wrong with a sound panel, whatever its servers are called', () => {
  const findings = diagnose(sound);
  expect(faults({})).toEqual([]);
  expect(findings.map(({ check }) => check)).toEqual([
    'settings',
    'panel',
    'address',
    'database',
    'key',
    'disk',
    'clock',
    'backups',
    'servers',
  ]);
  expect(findings.at(-1)?.text).toBe(
    'The card server Say "hi", \\ {1} responds to the panel, which calls it every minute',
  );
});

test.each<[string, Partial<Facts>, string, RegExp]>([
  [
    'wrong settings',
    { ...silent, settings: { problem: 'PORT: must be a number', warnings: [] } },
    'fault settings',
    /PORT/,
  ],
  [
    'a misspelt setting',
    { settings: { problem: null, warnings: ['PROT'] } },
    'notice settings',
    /PROT/,
  ],
  ['a panel that is stopped', silent, 'fault panel', /does not respond/],
  ['a busy port', { ...silent, port: 'PORT=8080: in use' }, 'fault port', /in use/],
  [
    'an address that leads elsewhere',
    { public_url: { url: 'https://panel.example', problem: 'certificate has expired' } },
    'notice address',
    /https:\/\/panel\.example does not lead .* expired/,
  ],
  [
    'a full database',
    { ready: { status: 'unavailable', database: 'full', migrations: 'ok' } },
    'fault database',
    /no changes/,
  ],
  [
    'an old schema',
    { ready: { status: 'unavailable', database: 'ok', migrations: 'pending' } },
    'fault database',
    /schema/,
  ],
  [
    'a database that is away',
    {
      health: { status: 'waiting', version: '1.9.0', reason: 'connection refused' },
      ready: { status: 'waiting', database: 'unreachable', migrations: 'unknown' },
    },
    'fault database',
    /connection refused/,
  ],
  ['a key that is missing', { key: 'There is no secret.key' }, 'fault key', /secret\.key/],
  [
    'a full disk',
    { disks: [{ setting: 'DATA_DIR', folder: '/d', free_bytes: 2 ** 25, share: 0.3 }] },
    'fault disk',
    /32 MB \(30%\)/,
  ],
  [
    'a disk that fills up',
    { disks: [{ setting: 'DATA_DIR', folder: '/d', free_bytes: 2 ** 33, share: 0.1 }] },
    'notice disk',
    /10%/,
  ],
  ['a wrong clock', { is_clock_right: false }, 'notice clock', /not synchronized/],
  [
    'no schedule of backups',
    { metrics: metric('backup_interval_seconds', 0) },
    'notice backups',
    /no scheduled/,
  ],
  [
    'a late backup',
    { metrics: metric('backup_last_made_timestamp_seconds', at('29T09')) },
    'fault backups',
    /overdue/,
  ],
  [
    'a failed backup',
    { metrics: metric('backup_last_failed_timestamp_seconds', at('30T04')) },
    'fault backups',
    /failed/,
  ],
  [
    'a server that is away',
    { metrics: figures('linekeeper_server_up{server="Rome"} 0') },
    'fault servers',
    /Rome does not respond/,
  ],
  [
    'changes that wait',
    { metrics: metric('pushes_oldest_seconds', 601) },
    'fault pushes',
    /3 changes .* 10 minutes/,
  ],
])('names %s once, with what to do', (_, facts, which, text) => {
  const found = faults(facts);
  expect(found.map(({ level, check }) => `${level} ${check}`)).toContain(which);
  const one = found.filter(({ level, check }) => `${level} ${check}` === which);
  expect(one).toHaveLength(1);
  expect(one[0]?.text).toMatch(text);
  expect(one[0]?.todo).toBeTruthy();
});

test('says nothing of a clock, backups or a database that it cannot know', () => {
  const found = diagnose({ ...sound, ...silent, is_clock_right: null, database: null });
  expect(found.map(({ check }) => check)).toEqual(['settings', 'panel', 'key', 'disk']);
});
