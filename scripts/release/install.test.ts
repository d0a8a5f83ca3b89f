import { spawnSync } from 'node:child_process';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import { withShared } from '../../apps/agent/install-shared.ts';

const source = join(import.meta.dirname, 'install.sh');
const VERSION = '2.1.0';
const DEB = `linekeeper_${VERSION}_amd64.deb`;
const keys = generateKeyPairSync('ed25519', {
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

/**
 * Stand-ins for programs of the machine. They record their calls, and keep their state in the folder of the machine.
 */
const stubs: Record<string, string> = {
  dpkg: `case $1 in
  --print-architecture) echo amd64 ;;
  --audit) cat "$DESTDIR/half-installed" 2>/dev/null ;;
  --configure) rm -f "$DESTDIR/half-installed" ;;
  --verify) [ -e "$DESTDIR/usr/lib/linekeeper/bin/node" ] || echo "missing     /usr/lib/linekeeper/bin/node" ;;
  --compare-versions) [ "$(printf '%s\\n' "$2" "$4" | sort -V | tail -n 1)" = "$2" ] && [ "$2" != "$4" ] ;;
esac`,
  'dpkg-query': `cat "$DESTDIR/packages/\${@: -1}" 2>/dev/null`,
  'apt-get': `package=\${@: -1}
[ "$1" != update ] || exit 0
[ ! -e "$DESTDIR/full" ] || { echo 'No space left on device' >&2; exit 100; }
mkdir -p "$DESTDIR/packages" "$DESTDIR/usr/lib/linekeeper/bin" "$DESTDIR/usr/lib/linekeeper/deploy" "$DESTDIR/etc/caddy"
case $package in
  caddy)
    printf 'of the package\\n' >"$DESTDIR/etc/caddy/Caddyfile"
    echo "installed 2.6 /etc/caddy/Caddyfile $(md5sum <"$DESTDIR/etc/caddy/Caddyfile" | cut -c 1-32)" >"$DESTDIR/packages/caddy" ;;
  *)
    ln -sf "$NODE" "$DESTDIR/usr/lib/linekeeper/bin/node"
    printf 'reverse_proxy {$PANELS}\\n' >"$DESTDIR/usr/lib/linekeeper/deploy/Caddyfile"
    echo 'installed ${VERSION}' >"$DESTDIR/packages/linekeeper" ;;
esac`,
  systemctl: `case "$*" in *show*) [ -z "\${DOWN:-}" ] || echo 9 ;; esac`,
  journalctl: `[ -z "\${AWAY:-}" ] || echo "Waiting for the database at 10.0.0.9:5432: connect ECONNREFUSED. http://127.0.0.1:8080/ready shows when"`,
  sleep: '',
  // The panel, as it replies to the script's calls.
  node: `case $URL in
  */ready) [ -z "\${DOWN:-}\${AWAY:-}" ] && [ ! -e "$DESTDIR/gone" ] ;;
  */sign-in/email) [ ! -e "$DESTDIR/goes" ] || { touch "$DESTDIR/gone"; exit 1; }
    [ ! -e "$DESTDIR/has-accounts" ] && printf '%s' "$BODY" >"$DESTDIR/signed-in" ;;
esac`,
};

let machine: string;
let release: string;
beforeEach(() => {
  machine = mkdtempSync(join(tmpdir(), 'linekeeper-machine-'));
  release = join(machine, 'release');
  write('etc/localtime.was', '');
  symlinkSync('/usr/share/zoneinfo/Europe/Berlin', at('etc/localtime'));
  mkdirSync(at('var'));
  mkdirSync(at('usr'));
  for (const [name, script] of Object.entries(stubs)) {
    const kept = name === 'node' ? '' : `echo "${name} $*" >>"$DESTDIR/calls"\n`;
    write(`stubs/${name}`, `#!/bin/bash\n${kept}${script}\n`);
    chmodSync(at(`stubs/${name}`), 0o755);
  }
  makeRelease();
  return () => rmSync(machine, { recursive: true, force: true });
});

const at = (path: string) => join(machine, path);
const read = (path: string) => readFileSync(at(path), 'utf8');
function write(path: string, text: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
}

function makeRelease(privateKey = keys.privateKey): void {
  write(`release/${DEB}`, 'the package');
  const sums = `${createHash('sha256').update('the package').digest('hex')}  ${DEB}\n`;
  write('release/SHA256SUMS', sums);
  writeFileSync(join(release, 'SHA256SUMS.sig'), sign(null, Buffer.from(sums), privateKey));
  const script = withShared(source)
    .replace('@VERSION@', VERSION)
    .replace('@RELEASE_KEY@', keys.publicKey.trim());
  write('release/install.sh', script);
}

/** Runs the script of the release with a folder as the machine's root. */
function run(env: Record<string, string> = {}, ...args: string[]) {
  const PATH = `${at('stubs')}:${process.env.PATH}`;
  const script = join(release, 'install.sh');
  const { status, stdout, stderr } = spawnSync('sh', [script, ...args], {
    env: { PATH, DESTDIR: machine, NODE: at('stubs/node'), TMPDIR: machine, ...env },
    encoding: 'utf8',
  });
  return { status, said: stdout + stderr };
}

const calls = () => (existsSync(at('calls')) ? read('calls') : '');
const settings = () => parseEnv(read('etc/linekeeper.env'));
const passwordIn = (said: string) => /Password +(\S+) {3}\(shown only once\)/.exec(said)?.[1];

describe('the script of a release', () => {
  test('is short, and free of findings where shellcheck is installed', () => {
    const lines = readFileSync(source, 'utf8').trimEnd().split('\n');
    expect(lines.length).toBeLessThan(250);
    const { error, status, stdout } = spawnSync('shellcheck', ['-x', '-s', 'sh', source], {
      cwd: dirname(source),
      encoding: 'utf8',
    });
    if (!error) expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  });

  test('installs the panel, and shows address, administrator and password once', () => {
    const { status, said } = run({ ADMIN_EMAIL: 'you@example.org' });
    expect({ status, said }).toMatchObject({ status: 0 });
    const password = passwordIn(said);
    expect(JSON.parse(read('signed-in'))).toEqual({ email: 'you@example.org', password });
    expect(said).toContain('Address        http://127.0.0.1:8080');
    expect(said).toContain('Administrator  you@example.org');
    expect(settings()).toEqual({
      DATA_DIR: at('var/lib/linekeeper'),
      TIME_ZONE: 'Europe/Berlin',
      ADMIN_EMAIL: 'you@example.org',
      BACKUP_SCHEDULE: 'daily 03:30',
      BACKUP_DIR: at('var/backups/linekeeper'),
    });
    expect(statSync(at('etc/linekeeper.env')).mode & 0o777).toBe(0o640);
    for (const folder of ['var/lib/linekeeper', 'var/backups/linekeeper']) {
      expect(statSync(at(folder)).mode & 0o777).toBe(0o700);
    }
    expect(calls()).toContain('systemctl enable --quiet linekeeper');
    expect(existsSync(at('etc/caddy'))).toBe(true);
    expect(existsSync(at('etc/caddy/Caddyfile'))).toBe(false);
    // The copy of the package is gone.
    expect(readdirSync(machine).filter((name) => name.startsWith('tmp.'))).toEqual([]);
  });

  test('does not wait for a database that cannot be reached', () => {
    const { status, said } = run({ AWAY: '1', DATABASE_URL: 'postgres://10.0.0.9/linekeeper' });
    expect(status).toBe(1);
    expect(said).toContain(
      `cannot reach the database at 10.0.0.9:5432: connect ECONNREFUSED. Correct DATABASE_URL in ${at('etc/linekeeper.env')}`,
    );
    const again = run();
    expect(again).toMatchObject({ status: 0 });
    expect(passwordIn(again.said)).not.toBe('');
  });

  test('sets Caddy and PostgreSQL up as told', () => {
    const DATABASE_URL = 'postgres://linekeeper:a%23$b@127.0.0.1/linekeeper';
    const { status, said } = run({ DOMAIN: 'panel.example.org', DATABASE_URL });
    expect({ status, said }).toMatchObject({ status: 0 });
    expect(said).toContain('Address        https://panel.example.org');
    expect(settings()).toMatchObject({
      DATABASE_URL,
      PUBLIC_URL: 'https://panel.example.org',
      TRUST_PROXY: '127.0.0.1',
    });
    expect(settings().SECRET_KEY).toHaveLength(44);
    expect(read('etc/caddy/Caddyfile')).toContain('{$PANELS}');
    expect(read('etc/caddy/linekeeper.env')).toBe(
      'PUBLIC_URL=https://panel.example.org\nPANELS=127.0.0.1:8080\n',
    );
    expect(read('etc/systemd/system/caddy.service.d/linekeeper.conf')).toContain('linekeeper.env');
    expect(calls()).toContain('systemctl restart caddy');
  });

  test('says each step and changes nothing with --dry-run', () => {
    const before = readdirSync(machine, { recursive: true }).sort();
    const { status, said } = run({ DOMAIN: 'panel.example.org' }, '--dry-run');
    expect({ status, said }).toMatchObject({ status: 0 });
    expect(said).toContain('Nothing is changed');
    for (const step of [
      'Get and check',
      'Write the settings',
      'Install the package',
      'Set up Caddy',
    ]) {
      expect(said).toContain(`  ${step}`);
    }
    expect(calls()).not.toMatch(/^(apt-get|systemctl)/m);
    const after = readdirSync(machine, { recursive: true }).sort();
    expect(after.filter((name) => name !== 'calls')).toEqual(before);
  });

  test('repairs when run again, and keeps settings and password', () => {
    const first = run({ DOMAIN: 'panel.example.org' });
    expect(passwordIn(first.said)).toBeDefined();
    const kept = `${read('etc/linekeeper.env')}LOG_LEVEL=warn\n`;
    write('etc/linekeeper.env', kept);
    write('etc/caddy/Caddyfile', '# my own\nreverse_proxy {$PANELS}\n');
    rmSync(at('var/backups'), { recursive: true });
    rmSync(at('usr/lib/linekeeper/bin/node'));
    const again = run();
    expect(again).toMatchObject({ status: 0 });
    expect(again.said).toContain('Password       as before');
    expect(read('etc/linekeeper.env')).toBe(kept);
    expect(read('etc/caddy/Caddyfile')).toContain('# my own');
    expect(existsSync(at('usr/lib/linekeeper/bin/node'))).toBe(true);
    expect(existsSync(at('var/backups/linekeeper'))).toBe(true);
    // The package is whole now.
    const third = run();
    expect(third.said).toContain('Keep the package');
    const other = run({ DOMAIN: 'other.example.org' });
    expect(other).toMatchObject({ status: 1 });
    expect(other.said).toContain('is kept as it is');
  });

  test('goes on with the same password after it was cut off', () => {
    write('full', '');
    const cut = run({ DOMAIN: 'panel.example.org' });
    expect(cut).toMatchObject({ status: 1 });
    expect(cut.said).toContain('apt-get could not install the package');
    const { ADMIN_PASSWORD } = settings();
    rmSync(at('full'));
    write('half-installed', 'linekeeper\n');
    const { said } = run();
    expect(passwordIn(said)).toBe(ADMIN_PASSWORD);
    expect(calls()).toContain('dpkg --configure -a');
    expect(read('etc/caddy/Caddyfile')).toContain('{$PANELS}');
    expect(settings()).not.toHaveProperty('ADMIN_PASSWORD');
  });

  test('keeps the accounts of a database that has some', () => {
    write('has-accounts', '');
    const { said } = run();
    expect(passwordIn(said)).toBeUndefined();
    expect(said).toContain('as before');
    expect(settings()).not.toHaveProperty('ADMIN_PASSWORD');
  });

  test('keeps the password of a panel that ends before it was shown', () => {
    write('goes', '');
    const { status, said } = run();
    expect(status).toBe(1);
    expect(said).toContain('it shows the password then');
    rmSync(at('goes'));
    rmSync(at('gone'));
    const { ADMIN_PASSWORD } = settings();
    expect(passwordIn(run().said)).toBe(ADMIN_PASSWORD);
  });

  test('shows why the panel does not start', () => {
    const { status, said } = run({ DOWN: '1' });
    expect(status).toBe(1);
    expect(said).toContain('linekeeper does not start');
    expect(settings()).toHaveProperty('ADMIN_PASSWORD');
  });
});

describe('before anything is changed, the script refuses', () => {
  function refused(env: Record<string, string>, because: string): void {
    const { status, said } = run(env);
    expect({ status, said }).toMatchObject({ status: 1 });
    expect(said).toContain(because);
    expect(calls()).not.toMatch(/^(apt-get|systemctl)/m);
    expect(said).not.toContain('  Install the package');
  }

  test('a package that was changed', () => {
    write(`release/${DEB}`, 'another package');
    const { status, said } = run();
    expect(status).toBe(1);
    expect(said).toContain('does not match its checksum');
    expect(existsSync(at('etc/linekeeper.env'))).toBe(false);
  });

  test('sums by another key', () => {
    makeRelease(
      generateKeyPairSync('ed25519', {
        publicKeyEncoding: { type: 'spki', format: 'pem' },
        privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      }).privateKey,
    );
    refused({}, 'was not made with the key in this script');
  });

  test('sums that were changed', () => {
    write('release/SHA256SUMS', `${read('release/SHA256SUMS')}\n`);
    refused({}, 'was not made with the key in this script');
  });

  test('a folder without a release', () => {
    const { status, said } = run({}, '--from', at('etc'));
    expect(status).toBe(1);
    expect(said).toContain('Could not copy');
  });

  test.each([
    ['DOMAIN', 'panel.example.org; reboot'],
    ['DOMAIN', 'https://panel.example.org/'],
    ['DOMAIN', 'panel.example.org\nimport /etc/passwd'],
    ['DOMAIN', 'pänel.example.org'],
    ['DOMAIN', '-panel.example.org'],
    ['DOMAIN', 'localhost'],
    ['DATABASE_URL', 'mysql://127.0.0.1/linekeeper'],
    ['DATABASE_URL', "postgres://linekeeper:a'b@127.0.0.1/linekeeper"],
    ['DATABASE_URL', 'postgres://a/b\nADMIN_EMAIL=someone@else.example'],
    ['TIME_ZONE', '../../etc/passwd'],
    ['TIME_ZONE', 'Europe/Berlin\nHOST=0.0.0.0'],
    ['ADMIN_EMAIL', 'you@example.org"'],
  ])('%s with %j', (name, value) => {
    refused({ [name]: value }, `${name} is invalid`);
    expect(existsSync(at('etc/linekeeper.env'))).toBe(false);
  });

  test.each(['var/lib/linekeeper', 'var/backups/linekeeper', 'etc/linekeeper.env'])(
    'a link in the place of %s',
    (path) => {
      mkdirSync(join(at(path), '..'), { recursive: true });
      symlinkSync(at('etc'), at(path));
      refused({}, 'is a link');
    },
  );

  test('a file in the place of a folder', () => {
    write('var/lib/linekeeper', '');
    refused({}, 'is not a folder');
  });

  test('another version', () => {
    write('packages/linekeeper', 'installed 2.2.0\n');
    refused({}, `To replace it: linekeeper update --from ${release}`);
  });

  test('a Caddy with other sites', () => {
    write('etc/caddy/Caddyfile', 'shop.example.org\n');
    refused({ DOMAIN: 'panel.example.org' }, 'has other sites');
  });

  test('a unit that is neither the package’s nor the guide’s', () => {
    write('etc/systemd/system/linekeeper.service', '[Service]\nExecStart=/srv/panel/start\n');
    refused({}, 'starts another panel');
  });

  test('a newer panel from a clone, and several', () => {
    const unit = '[Service]\nExecStart=/opt/linekeeper/node_modules/.bin/node\n';
    write('etc/systemd/system/linekeeper.service', unit);
    write('opt/linekeeper/package.json', '{\n  "version": "2.2.0",\n}\n');
    refused({}, 'The panel in /opt/linekeeper is newer: 2.2.0');
    write('etc/systemd/system/multi-user.target.wants/linekeeper@8080.service', unit);
    refused({}, 'This script is for a single one');
  });
});

describe('a panel from a clone', () => {
  beforeEach(() => {
    const unit = '[Service]\nExecStart=/opt/linekeeper/node_modules/.bin/node\n';
    write('etc/systemd/system/linekeeper.service', unit);
    write('etc/linekeeper.env', 'DATA_DIR=/var/lib/linekeeper\nADMIN_EMAIL=you@example.org\n');
    write('opt/linekeeper/package.json', '{\n  "name": "x",\n  "version": "1.9.0",\n}\n');
    write(
      'opt/linekeeper/node_modules/.bin/node',
      `#!/bin/sh\necho "$LINEKEEPER_SETTINGS $*" >"$DESTDIR/backed-up"\n`,
    );
    chmodSync(at('opt/linekeeper/node_modules/.bin/node'), 0o755);
    write('opt/linekeeper/scripts/run.mjs', '');
    write('has-accounts', '');
  });

  test.each([
    ['1.7 or newer', 'run'],
    ['1.6 or older', 'db'],
  ])('of %s is taken over after a backup', (_, program) => {
    write(`opt/linekeeper/scripts/${program}.mjs`, '');
    const { status, said } = run();
    expect({ status, said }).toMatchObject({ status: 0 });
    expect(read('backed-up')).toBe(
      `${at('etc/linekeeper.env')} scripts/${program}.mjs backup ${at('var/backups/linekeeper')}/\n`,
    );
    expect(existsSync(at('etc/systemd/system/linekeeper.service'))).toBe(false);
    expect(existsSync(at('etc/systemd/system/linekeeper.service.of-clone'))).toBe(true);
    expect(settings()).toEqual({ DATA_DIR: '/var/lib/linekeeper', ADMIN_EMAIL: 'you@example.org' });
    expect(said).toContain('The clone in /opt/linekeeper is no longer used');
  });

  test('runs again if the new one does not start', () => {
    const { status, said } = run({ DOWN: '1' });
    expect(status).toBe(1);
    expect(said).toContain('The panel that ran before was started again.');
    expect(existsSync(at('etc/systemd/system/linekeeper.service'))).toBe(true);
    expect(calls().trimEnd().split('\n').at(-1)).toBe('systemctl enable --now linekeeper');
  });
});
