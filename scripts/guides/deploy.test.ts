import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorText } from '@linekeeper/contract/errors.ts';
import { MAX_BULK_MB } from '@linekeeper/contract/lines/import-limits.ts';
import { MAX_ATTACHMENT_BYTES } from '@linekeeper/contract/tickets/attachments.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memorySettings } from '../memory.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const MEGABYTE = 1024 * 1024;

/** The folder in which the units expect the clone. */
const CLONE = '/opt/linekeeper';
const units = globSync('deploy/*.{service,timer}', { cwd: root }).map((path) => basename(path));
const services = units.filter((name) => name.endsWith('.service'));

/** Settings of a unit as `Section.Key`, each with its values in order. */
function settingsOf(unit: string): Map<string, string[]> {
  const settings = new Map<string, string[]>();
  let section = '';
  for (const line of read(`deploy/${unit}`).split('\n')) {
    section = /^\[(\w+)\]$/.exec(line)?.[1] ?? section;
    const [, key, value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (key === undefined) continue;
    const name = `${section}.${key}`;
    settings.set(name, [...(settings.get(name) ?? []), value]);
  }
  return settings;
}

const one = (unit: string, name: string) => settingsOf(unit).get(name)?.join(' ') ?? '';

describe('the units', () => {
  test('are those of the guide', () => {
    expect(units.sort()).toEqual([
      'linekeeper-agent.service',
      'linekeeper-backup.service',
      'linekeeper-backup.timer',
      'linekeeper.service',
      'linekeeper@.service',
    ]);
    const guide =
      read('docs/tutorials/first-hour.md') +
      read('docs/how-to/install.md') +
      read('docs/how-to/systemd.md') +
      read('docs/how-to/agent-by-hand.md') +
      read('docs/how-to/postgresql.md');
    for (const unit of units) expect(guide).toContain(`deploy/${unit}`);
  });

  test.each(services)('%s runs a program of the repository with a file of settings', (unit) => {
    const start = one(unit, 'Service.ExecStart').split(' ');
    expect(start[0]).toBe(`${CLONE}/node_modules/.bin/node`);
    expect(one(unit, 'Service.WorkingDirectory')).toBe(CLONE);
    expect(start.find((word) => word.startsWith('--env-file='))).toMatch(/=\/etc\/linekeeper/);
    const program = start.find((word) => word.endsWith('.ts')) ?? 'none';
    expect(existsSync(join(root, program))).toBe(true);
    // A second program that reads the file would treat quotes differently.
    expect(settingsOf(unit).has('Service.EnvironmentFile')).toBe(false);
  });

  test.each(services)('%s has a user whom the guide makes', (unit) => {
    const user = one(unit, 'Service.User');
    expect(user).toMatch(/^linekeeper(-agent)?$/);
    expect(one(unit, 'Service.StateDirectory')).toBe(user);
    expect(read('docs/how-to/install.md') + read('docs/how-to/agent-by-hand.md')).toMatch(
      new RegExp(`^useradd --system --home-dir /var/lib/${user} .* ${user}$`, 'm'),
    );
  });

  test('never give up, and agree on what a process may do', () => {
    const lasting = services.filter((unit) => unit !== 'linekeeper-backup.service');
    for (const unit of lasting) {
      expect(one(unit, 'Unit.StartLimitIntervalSec')).toBe('0');
      expect(one(unit, 'Service.Restart')).toBe('on-failure');
    }
    const restrictions = (unit: string) => read(`deploy/${unit}`).match(/^NoNew[^[]*?EPERM$/m)?.[0];
    expect(restrictions('linekeeper.service')).toContain('ProtectSystem=strict');
    for (const unit of services) {
      expect(restrictions(unit), unit).toBe(restrictions('linekeeper.service'));
    }
  });

  test('for two panels has the port from its name', () => {
    const environment = one('linekeeper@.service', 'Service.Environment');
    expect(environment.split(' ')).toContain('PORT=%i');
  });

  const panels = ['linekeeper.service', 'linekeeper@.service'];

  test.each(panels)('%s keeps memory small as `npm start` does', (unit) => {
    const environment = one(unit, 'Service.Environment');
    for (const [name, value] of Object.entries(memorySettings)) {
      expect(environment).toContain(
        value.includes(' ') ? `"${name}=${value}"` : `${name}=${value}`,
      );
    }
  });

  test.each(panels)('%s may write the backups of a schedule', (unit) => {
    const [, folder = 'none'] = /^BACKUP_DIR=(\S+)$/m.exec(read('docs/how-to/install.md')) ?? [];
    expect(one(unit, 'Service.ReadWritePaths')).toBe(`-${folder}`);
  });

  test('for backups writes where it is allowed to', () => {
    const unit = 'linekeeper-backup.service';
    const folder = one(unit, 'Service.ReadWritePaths');
    expect(one(unit, 'Service.ExecStart')).toContain(`backup.ts ${folder}/`);
    expect(one(unit, 'Service.ExecStartPost')).toContain(` ${folder} `);
    expect(read('docs/how-to/install.md')).toMatch(
      new RegExp(`-o linekeeper -g linekeeper (?:\\S+ )*${folder}$`, 'm'),
    );
  });
});

/** The test uses systemd's own check, on machines that have systemd. */
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
describe(hasSystemd ? 'systemd-analyze verify' : 'without systemd-analyze', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'units-'));
    for (const unit of units) {
      // The template gets the name of an instance, and the path of the clone becomes that of this repository.
      const text = read(`deploy/${unit}`).replaceAll(CLONE, root.replace(/\/$/, ''));
      writeFileSync(join(folder, unit.replace('@', '@8080')), text);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(units)(hasSystemd ? 'finds nothing wrong with %s' : '%s is only read', (unit) => {
    if (!hasSystemd) return expect(hasSystemd).toBe(false);
    const file = join(folder, unit.replace('@', '@8080'));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], {
      encoding: 'utf8',
    });
    expect(`${stderr}${status}`).toBe('0');
  });
});

describe('deploy/nginx.conf', () => {
  const text = read('deploy/nginx.conf').replace(/^\s*#.*$/gm, '');

  test('is well-formed: braces are balanced, directives are ended', () => {
    let depth = 0;
    for (const sign of text.replace(/'[^']*'/g, '').match(/[{}]/g) ?? []) {
      depth += sign === '{' ? 1 : -1;
      expect(depth).toBeGreaterThanOrEqual(0);
    }
    expect(depth).toBe(0);
    for (const line of text.split('\n')) expect(line).toMatch(/^\s*$|[;{}]$|'$/);
  });

  test('takes the largest body that the panel takes', () => {
    const size = Number(/client_max_body_size (\d+)m;/.exec(text)?.[1]) * MEGABYTE;
    // Multipart has a few lines around the file.
    expect(size).toBeGreaterThan(MAX_ATTACHMENT_BYTES + 64 * 1024);
    expect(size).toBeGreaterThan(MAX_BULK_MB * MEGABYTE);
  });

  test('says in the words of the panel what is larger still', () => {
    const [, body = ''] = /return 413 '(.*)';/.exec(text) ?? [];
    const code = 'PAYLOAD_TOO_LARGE';
    expect(JSON.parse(body)).toEqual({ code, message: errorText(code), data: {} });
  });

  test('lets no client say under which name it came', () => {
    expect(text).toContain('proxy_set_header X-Forwarded-Host "";');
  });

  test('never passes a panel over, and never sends twice what may be done twice', () => {
    const panels = text.match(/^\tserver \S+:\d+.*$/gm) ?? [];
    expect(panels.length).toBeGreaterThan(1);
    for (const panel of panels) expect(panel).toContain(' max_fails=0;');
    expect(text.match(/proxy_next_upstream .*/g)).toEqual(['proxy_next_upstream error timeout;']);
  });

  test('passes events on unbuffered, for longer than their sign of life', () => {
    const events = /location = \/api\/events \{([^}]*)\}/.exec(text)?.[1] ?? '';
    expect(events).toContain('proxy_buffering off;');
    expect(events).toContain('proxy_read_timeout 1h;');
  });

  test('says where a request comes from, and sets it itself', () => {
    expect(text).toContain('proxy_set_header X-Forwarded-For $remote_addr;');
    expect(text).toContain('proxy_set_header X-Forwarded-Proto $scheme;');
    expect(text).not.toContain('$proxy_add_x_forwarded_for');
  });
});

describe('both proxies', () => {
  const state = ['/health', '/ready', '/metrics'];

  test('keep the state of the panels to themselves', () => {
    for (const path of state) {
      expect(read('deploy/nginx.conf')).toContain(`location = ${path} { return 404; }`);
    }
    expect(read('deploy/Caddyfile')).toContain(`@state path ${state.join(' ')}\n`);
  });

  test('log the address of the client, and neither queries nor cookies', () => {
    const nginx = read('deploy/nginx.conf');
    const servers = nginx.match(/^server \{/gm)?.length;
    expect(nginx.match(/^\taccess_log \S+ linekeeper;$/gm)).toHaveLength(servers ?? 0);
    const format = /log_format linekeeper[^;]*;/.exec(nginx)?.[0] ?? '';
    expect(format).toContain('"ip":"$remote_addr"');
    expect(format).not.toMatch(/\$(request|request_uri|args|query_string|http_\w+)\b/);
    const caddy = read('deploy/Caddyfile');
    // A site uses only the last of several logs.
    expect(caddy.match(/^\tlog \{$/gm)).toHaveLength(1);
    expect(caddy).toContain('request>headers delete');
    expect(caddy).toContain('request>uri regexp "(?i)^(/l/)[^?]*|\\?.*" "$1"');
  });

  test('find what they need in the example of the settings', () => {
    const needed = read('deploy/Caddyfile').match(/(?<=\{\$)[A-Z_]+(?=\})/g) ?? [];
    expect(needed.sort()).toEqual(['PANELS', 'PUBLIC_URL']);
    for (const name of needed) expect(read('.env.example')).toMatch(new RegExp(`^# ${name}=`, 'm'));
  });
});
