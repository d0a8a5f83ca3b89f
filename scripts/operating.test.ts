import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const all = (text: string, pattern: RegExp) => [
  ...new Set([...text.matchAll(pattern)].map(([, found = '']) => found)),
];

const guide = read('docs/operating.md');
const alerts = read('deploy/alerts.yml');
const unit = read('deploy/linekeeper.service');
const variables = all(read('apps/server/src/core/config.ts'), /^ {2}([A-Z][A-Z_]+): /gm);

describe('what operators read', () => {
  test('has every setting of the panel, and no other', () => {
    expect(variables).toContain('DATABASE_URL');
    expect(all(guide, /^\| `([A-Z_]+)` \|/gm).sort()).toEqual(variables.toSorted());
    const compose = read('compose.yml');
    // The image sets these three by itself.
    const own = ['HOST', 'PORT', 'DATA_DIR'];
    const given = all(compose, /^ {4}([A-Z_]+): /gm);
    expect([...given, ...own].sort()).toEqual(variables.toSorted());
  });

  test('explains every alarm, and no other', () => {
    const alarms = all(alerts, /alert: (\w+)/g);
    expect(alarms.length).toBeGreaterThan(0);
    expect(all(guide, /^\| `(Linekeeper\w+)` \|/gm).sort()).toEqual(alarms.toSorted());
  });

  test('lets the panel’s user read the settings, and nobody else but root', () => {
    const [, user = 'none'] = unit.match(/^User=(\S+)$/m) ?? [];
    const [, settings = 'none'] = unit.match(/^EnvironmentFile=(\S+)$/m) ?? [];
    expect(guide).toContain(`install -m 640 -o root -g ${user} .env.example ${settings}`);
    expect(guide).toContain(`sudo -u ${user} env DATA_DIR=/var/lib/${user}`);
    expect(guide).toContain(`--env-file=${settings}`);
  });

  test('is never told to rotate to a key that is on no disk', () => {
    for (const page of [guide, read('docs/backup.md'), read('README.md')]) {
      expect(page).not.toMatch(/NEW_SECRET_KEY="?\$\(/);
      expect(page).not.toContain('--env NEW_SECRET_KEY');
    }
    expect(read('docs/backup.md')).toContain('lost has no way back');
  });

  test('gives a panel longer to end than it gives itself', () => {
    const limit = read('apps/server/src/main.ts').match(/SHUTDOWN_LIMIT_MS = ([\d_]+)/)?.[1] ?? '';
    const seconds = Number(limit.replace('_', '')) / 1000;
    expect(seconds).toBeGreaterThan(0);
    expect(Number(unit.match(/^TimeoutStopSec=(\d+)$/m)?.[1])).toBeGreaterThan(seconds);
    const grace = read('compose.yml').match(/stop_grace_period: (\d+)s/)?.[1];
    expect(Number(grace)).toBeGreaterThan(seconds);
  });
});
