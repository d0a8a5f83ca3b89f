import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { MAX_BULK_MB } from '../packages/contract/src/lines/import-limits.ts';
import { MAX_ATTACHMENT_BYTES } from '../packages/contract/src/tickets/attachments.ts';

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

/** The directives of a systemd unit, without comments. */
function directivesOf(path: string): string[] {
  return read(path)
    .split('\n')
    .filter((line) => /^[A-Z]\w*=/.test(line));
}

describe('the units', () => {
  const hardening =
    /^(Protect|Private|Restrict|NoNew|Lock|System|Capability|Ambient|RemoveIPC|UMask)/;
  const units = ['linekeeper.service', 'linekeeper@.service', 'linekeeper-agent.service'];

  test.each(units)('%s is as guarded as the others, and is started until it stays', (name) => {
    const path = `deploy/${name}`;
    const guards = (file: string) => directivesOf(file).filter((line) => hardening.test(line));
    expect(guards(path)).toEqual(guards('deploy/linekeeper.service'));
    expect(directivesOf(path)).toContain('StartLimitIntervalSec=0');
    expect(guide).toContain(`cp ${path} /etc/systemd/system/`);
  });

  test.each(units)('%s starts a program that is there, as a user that the guide makes', (name) => {
    const unit = read(`deploy/${name}`);
    const [, program = 'none'] = unit.match(/^ExecStart=\S+ (\S+)$/m) ?? [];
    expect(read(program)).not.toBe('');
    const [, user = 'none'] = unit.match(/^User=(\S+)$/m) ?? [];
    expect(guide).toMatch(new RegExp(`^useradd .* ${user}$`, 'm'));
    const [, settings = 'none'] = unit.match(/^EnvironmentFile=(\S+)$/m) ?? [];
    expect(guide).toContain(`install -m 640 -o root -g ${user} .env.example ${settings}`);
  });
});

describe('the proxies', () => {
  const nginx = read('deploy/nginx.conf').replace(/#.*$/gm, '');

  test('nginx takes what the panel takes, and no header of a client for its address', () => {
    const sizes = all(nginx, /client_max_body_size (\d+)m;/g).map(Number);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(MAX_BULK_MB);
    expect(Math.max(...sizes)).toBeGreaterThan(MAX_ATTACHMENT_BYTES / 2 ** 20);
    expect(nginx).toContain('X-Forwarded-For $remote_addr;');
    expect(nginx).not.toContain('$proxy_add_x_forwarded_for');
    expect(nginx).not.toContain('non_idempotent');
    expect(nginx.split('{').length).toBe(nginx.split('}').length);
  });

  test('nginx gives up no panel for a connection that it refused', () => {
    const panels = all(nginx, /^ {4}server (\d.*);$/gm);
    expect(panels.length).toBeGreaterThan(1);
    for (const panel of panels) expect(panel).toContain('max_fails=0');
  });

  test.each(['Caddyfile', 'nginx.conf'])('%s logs clients, without what links carry', (name) => {
    const proxy = read(`deploy/${name}`);
    expect(proxy).toMatch(/^\s*(log \{|access_log .* linekeeper;)$/m);
    expect(proxy).toContain(name === 'Caddyfile' ? 'request>uri regexp' : '$request_method $uri');
    expect(proxy).not.toContain('$request_uri"');
  });
});
