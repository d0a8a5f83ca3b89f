import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MAX_BULK_MB } from '@linekeeper/contract/lines/import-limits.ts';
import { MAX_ATTACHMENT_BYTES } from '@linekeeper/contract/tickets/attachments.ts';
import { ambiguousSettings } from '@linekeeper/settings-file';
import { describe, expect, test } from 'vitest';
import * as limits from '../../apps/server/src/platform/rate-limit.ts';

type Limit = limits.Limit;

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const all = (text: string, pattern: RegExp) => [
  ...new Set([...text.matchAll(pattern)].map(([, found = '']) => found)),
];

const install = read('docs/how-to/install.md') + read('docs/how-to/systemd.md');
const settings = read('docs/reference/settings.md');
const commands = read('docs/reference/commands.md');
const counted = read('docs/reference/limits.md');
const alerts = read('deploy/alerts.yml');
const unit = read('deploy/linekeeper.service');
const variables = all(read('apps/server/src/platform/config/config.ts'), /^ {2}([A-Z][A-Z_]+): /gm);

describe('what operators read', () => {
  test('has every setting of the panel, and no other', () => {
    expect(variables).toContain('DATABASE_URL');
    const [, ofPanel = ''] = settings.match(/## The panel\n(.*?)\n## /s) ?? [];
    expect(all(ofPanel, /^\| `([A-Z_]+)` \|/gm).sort()).toEqual(variables.toSorted());
    const compose = read('compose.yml');
    // The image sets these three variables itself.
    const own = ['HOST', 'PORT', 'DATA_DIR'];
    const given = all(compose, /^ {4}([A-Z_]+): /gm);
    expect([...given, ...own].sort()).toEqual(variables.toSorted());
  });

  test('explains every alarm, and no other', () => {
    const alarms = all(alerts, /alert: (\w+)/g);
    expect(alarms.length).toBeGreaterThan(0);
    const explained = read('docs/reference/metrics-and-alarms.md');
    expect(all(explained, /^\| `(Linekeeper\w+)` \|/gm).sort()).toEqual(alarms.toSorted());
  });

  test('lets the panel’s user read the settings, and nobody else but root', () => {
    const [, user = 'none'] = unit.match(/^User=(\S+)$/m) ?? [];
    const [, file = 'none'] = unit.match(/^ExecStart=.* --env-file=(\S+) /m) ?? [];
    expect(install).toContain(`install -m 640 -o root -g ${user} .env.example ${file}`);
    // Commands read the settings file of the unit, which names the data folder.
    expect(commands).toContain(`export LINEKEEPER_SETTINGS=${file}\n`);
    expect(unit).toMatch(new RegExp(`^Environment=.*\\bDATA_DIR=/var/lib/${user}\\b`, 'm'));
    expect(install).toMatch(
      new RegExp(`^cat >> ${file} <<'END'\\n(?:.+\\n)*?DATA_DIR=/var/lib/${user}$`, 'm'),
    );
  });

  test('makes a clone that the panel’s user can read, however hardened root is', () => {
    const clones = install.match(/```sh\n(?:(?!```).)*git clone.*?```/gs) ?? [];
    expect(clones.length).toBeGreaterThan(0);
    for (const commands of clones) {
      expect(commands.indexOf('umask 022')).toBeGreaterThan(0);
      expect(commands.indexOf('umask 022')).toBeLessThan(commands.indexOf('git clone'));
    }
  });

  test('counts as the panel counts', () => {
    const named = Object.values(limits).filter(
      (limit): limit is Limit =>
        typeof limit === 'object' && 'scope' in limit && !`${limit.scope}`.startsWith('audited'),
    );
    const rows = named.map(({ scope, failures, window_seconds }) => {
      const minutes = window_seconds % 60 === 0 ? `${window_seconds / 60} minutes` : '';
      const window = window_seconds === 3600 ? '1 hour' : minutes || `${window_seconds} seconds`;
      return `| \`${scope}\` | ${failures} in ${window} |`;
    });
    // A scope that is listed twice is found, too, so the matches are not made unique.
    const listed = [...counted.matchAll(/^\| `[a-z-]+` \| \d+ in .*? \|/gm)].map(([row]) => row);
    expect(listed.sort()).toEqual(rows.sort());
    expect(counted).toContain(`an import of lines ${MAX_BULK_MB} MB`);
    expect(counted).toContain(`an attachment ${MAX_ATTACHMENT_BYTES / 1024 ** 2} MB`);
    const [, body] =
      read('apps/server/src/app.ts').match(/BODY_LIMIT_BYTES = (\d+) \* 1024;/) ?? [];
    expect(counted).toContain(`${body} KB of JSON`);
  });

  test('is told to write settings as every program reads them', () => {
    const written = all(
      read('docs/how-to/compose.md'),
      /^cat > \.env <<END\n((?:[A-Z_]+=.*\n)+)END$/gm,
    );
    expect(written.length).toBeGreaterThan(0);
    // The output of openssl has neither quotes nor spaces.
    const examples = written.map((text) => text.replace(/\$\(openssl .*?\)/g, 'aB3+/='));
    const uncommented = read('.env.example').replace(/^# (?=[A-Z_]+=)/gm, '');
    for (const text of [...examples, uncommented]) expect(ambiguousSettings(text)).toEqual([]);
  });

  test('says when the header with the country is believed', () => {
    const [row] = settings.match(/^\| `COUNTRY_HEADER` .*$/m) ?? [];
    expect(row).toMatch(/Believed only .* `X-Forwarded-For`/);
  });

  test('is never told to rotate to a key that is on no disk', () => {
    for (const page of [commands, read('docs/how-to/backup.md'), read('README.md')]) {
      expect(page).not.toMatch(/NEW_SECRET_KEY="?\$\(/);
      expect(page).not.toContain('--env NEW_SECRET_KEY');
    }
    expect(read('docs/how-to/backup.md')).toContain('A lost key cannot be replaced');
  });

  test('gives a panel longer to end than it gives itself', () => {
    const limit =
      read('apps/server/src/commands/main.ts').match(/SHUTDOWN_LIMIT_MS = ([\d_]+)/)?.[1] ?? '';
    const seconds = Number(limit.replace('_', '')) / 1000;
    expect(seconds).toBeGreaterThan(0);
    expect(Number(unit.match(/^TimeoutStopSec=(\d+)$/m)?.[1])).toBeGreaterThan(seconds);
    const grace = read('compose.yml').match(/stop_grace_period: (\d+)s/)?.[1];
    expect(Number(grace)).toBeGreaterThan(seconds);
  });
});
