// @module-tag thorough
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withShared } from '../../apps/agent/install-shared.ts';
import { STEP_SECONDS, totpCode } from '../../apps/server/src/domain/accounts/totp.ts';
import { TestClient } from '../../apps/server/src/testing/client.ts';
import { eventually } from '../../apps/server/src/testing/eventually.ts';
import { type Mailbox, startMailbox } from '../../apps/server/src/testing/mail/mailbox.ts';
import { ENVIRONMENT } from '../../apps/server/src/testing/process/command.ts';
import { tryLogin } from '../../packages/oscam/src/cccam-login.ts';
import { type Oscam, startOscam } from '../../packages/oscam/src/testing/oscam.ts';

/** Programs that would change the machine, or that it may not have. Each becomes a script in `folder`. */
const stubs: Record<string, string> = {
  // Users are recorded, so that a file can only get an owner that was created before.
  useradd: `echo "\${@: -1}" >> "$ROOM/users"`,
  userdel: `sed -i "/^$1$/d" "$ROOM/users"`,
  chown: `owner=\${@: -2:1}; grep -qx "\${owner%%:*}" "$ROOM/users"`,
  install: `args=()
while [ $# -gt 0 ]; do
  case $1 in
    -o|-g) [ "$2" = root ] || grep -qx "$2" "$ROOM/users" || exit 1; shift ;;
    *) args+=("$1") ;;
  esac
  shift
done
exec "$REAL_INSTALL" "\${args[@]}"`,
  git: `[ "$1" = -C ] && { echo repository; exit; }
[ "$1" = clone ] || { echo git version 2; exit; }
mkdir "$3"
for entry in "$SOURCES"/* "$SOURCES"/.env.example; do ln -s "$entry" "$3/"; done
# The clone beside another one is of the next version.
[ -e "$ROOM/opt/linekeeper" ] || exit 0
rm "$3/package.json"
sed 's/"version": "[^"]*"/"version": "'"$NEXT"'"/' "$SOURCES/package.json" > "$3/package.json"`,
  // The repository is built already, or does not need it here.
  npm: `[ "$*" = "run build" ] || exec "$REAL_NPM" --silent "$@"`,
  // Of the packages, only the panel's is put into the room: the program, its Node and its unit.
  'apt-get': `[ "$1" = update ] || [ "$1 $2" = "install -y" ] || exit 1
case "\${@: -1}" in *.deb) ;; *) exit 0 ;; esac
mkdir -p "$ROOM/usr/lib/linekeeper/bin" "$ROOM/usr/lib/systemd/system"
for entry in "$SOURCES"/*; do ln -s "$entry" "$ROOM/usr/lib/linekeeper/"; done
ln -s "$SOURCES/node_modules/.bin/node" "$ROOM/usr/lib/linekeeper/bin/node"
sed 's#/opt/linekeeper/node_modules/.bin/node#/usr/lib/linekeeper/bin/node#; s#/opt/linekeeper#/usr/lib/linekeeper#' \\
  "$SOURCES/deploy/linekeeper.service" > "$ROOM/usr/lib/systemd/system/linekeeper.service"`,
  dpkg: `[ "$1" != --print-architecture ] || echo amd64`,
  'dpkg-query': 'exit 1',
  // The command of the package, as npm has it in a clone.
  linekeeper: `case $1 in
  verify) script=ledger:verify ;;
  rotate-keys) script=keys:rotate ;;
  *) script=$1 ;;
esac
shift
cd "$ROOM/usr/lib/linekeeper" && LINEKEEPER_SETTINGS=$ROOM/etc/linekeeper.env exec npm run "$script" -- "$@"`,
  // The machine's firewall stays as it is.
  nft: `[ "$1" = -f ] && [ -e "$2" ]`,
  // The command runs on another computer, so the copy is local here.
  scp: `from=\${@: -2:1}; cp "\${from#*:}" "\${@: -1}"`,
  getent: `[ "$1" = ahosts ] && echo 192.0.2.10`,
  openssl: `[ "$1" != pkeyutl ] || exec "$REAL_OPENSSL" "$@"
[ "$1" = version ] && { echo OpenSSL 3; exit; }
node -e 'console.log(require("node:crypto").randomBytes(24).toString("hex"))'`,
  curl: `[ "$2" != -o ] || exec > "$3"
exec node --input-type=module -e '
const url = process.argv.at(-1);
for (let tries = 0; ; tries++) {
  const reply = await fetch(url).catch(() => null);
  if (reply?.ok) { process.stdout.write(Buffer.from(await reply.arrayBuffer())); break; }
  if (tries === 240) process.exit(1);
  await new Promise((go) => setTimeout(go, 250));
}' "\${@: -1}"`,
  journalctl: `while [ $# -gt 0 ]; do case $1 in -u) unit=$2 ;; -g) words=$2 ;; esac; shift; done
grep -E "$words" "$ROOM/$unit.journal"`,
  systemctl: `[ "$1" != show ] || exit 0
stop() {
  [ -e "$ROOM/$1.pid" ] || return 0
  kill "$(cat "$ROOM/$1.pid")" 2>/dev/null
  while kill -0 "$(cat "$ROOM/$1.pid")" 2>/dev/null; do sleep 0.1; done
  rm "$ROOM/$1.pid"
}
start() {
  # Neither can serve a room.
  case $1 in
    caddy) [ -e "$ROOM/etc/caddy/Caddyfile" ]; return ;;
    nftables) [ -e "$ROOM/etc/nftables.conf" ]; return ;;
  esac
  [ ! -e "$ROOM/$1.pid" ] || return 0
  unit=$ROOM/etc/systemd/system/$1.service
  [ -e "$unit" ] || unit=$ROOM/usr/lib/systemd/system/$1.service
  [ -e "$unit" ] || exit 1
  inside=$(sed -E "s#(^|[ =])/(opt|etc|var|usr)/#\\\\1$ROOM/\\\\2/#g" "$unit")
  cd "$(sed -n 's/^WorkingDirectory=//p' <<< "$inside")" || exit 1
  # Quotes as systemd reads them. What was put before a command is not passed on.
  eval "exec env -u DATABASE_URL $(sed -n 's/^Environment=//p; s/^ExecStart=//p' <<< "$inside" | tr '\\n' ' ')" \\
    >> "$ROOM/$1.journal" 2>&1 < /dev/null &
  echo $! > "$ROOM/$1.pid"
}
act=$1; shift
case "$act $*" in enable*--now*) act=start ;; esac
for name in "$@"; do
  case $name in -*) continue ;; esac
  case $act in
    stop|disable) stop "$name" ;;
    start) start "$name" ;;
    restart) stop "$name"; start "$name" ;;
    is-active) [ -e "$ROOM/$name.pid" ] && echo active ;;
  esac
done`,
};

function writeStubs(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, script] of Object.entries(stubs)) {
    writeFileSync(join(folder, name), `#!/usr/bin/env bash\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const HTTPPWD = 'web interface #1';
/** The version to which the first upgrade leads. */
const next = '2.0.0';
const which = (name: string) =>
  execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Serves a release whose package is a text, because the stub of apt-get puts the program into the room. */
async function serveRelease(port: number): Promise<Server> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const name = `linekeeper_${version}_amd64.deb`;
  const sums = `${createHash('sha256').update('a package').digest('hex')}  ${name}\n`;
  const files: Record<string, string | Buffer> = {
    [name]: 'a package',
    SHA256SUMS: sums,
    'SHA256SUMS.sig': sign(null, Buffer.from(sums), privateKey),
    'install.sh': withShared(join(root, 'scripts/release/install.sh'))
      .replace('@VERSION@', version)
      .replace('@RELEASE_KEY@', String(publicKey.export({ type: 'spki', format: 'pem' })).trim())
      .replaceAll('8080', String(port))
      .replaceAll('https://$DOMAIN', `http://127.0.0.1:${port}`),
  };
  const server = createHttpServer((request, reply) => {
    reply.end(files[request.url?.slice(1) ?? '']);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return server;
}

/** The commands of a page, by the heading above them. */
function blocksOf(page: string): Map<string, string[]> {
  const blocks = new Map<string, string[]>();
  let heading = '';
  const text = readFileSync(join(root, 'docs', page), 'utf8');
  const parts = /^##+ ([^\n]*)$|^( *)```sh\n(.*?)^\2```$/gms;
  for (const [, title, indent, commands] of text.matchAll(parts)) {
    heading = title ?? heading;
    // Commands for Docker are skipped, because they do the same.
    if (!commands || commands.includes('docker compose')) continue;
    const block = commands.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    blocks.set(heading, [...(blocks.get(heading) ?? []), block]);
  }
  return blocks;
}

/**
 * The tests follow the guides word by word in one shell, whose /opt, /etc, /var and /root are
 * folders of its own, and whose services are processes.
 */
describe('an administrator who follows the guides', () => {
  const room = mkdtempSync(join(tmpdir(), 'rehearsal-'));
  const done: string[] = [];
  let shell: ChildProcess;
  let said = '';
  let ports: { panel: number; agent: number };
  let oscam: Oscam;
  let mailbox: Mailbox;
  let release: Server;
  let line = 0;

  beforeAll(async () => {
    ports = { panel: await freePort(), agent: await freePort() };
    for (const folder of [
      'opt',
      'etc/oscam',
      'etc/caddy',
      'etc/systemd/system',
      'var/lib',
      'var/backups',
      'root',
    ]) {
      mkdirSync(join(room, folder), { recursive: true });
    }
    writeStubs(join(room, 'bin'));
    const file = join(room, 'etc/oscam/oscam.user');
    writeFileSync(file, '[account]\nuser = by-hand\npwd = own\ngroup = 1\n');
    oscam = await startOscam({ file, user: 'operator', password: HTTPPWD });
    mailbox = await startMailbox();
    release = await serveRelease(ports.panel);
    shell = spawn('bash', ['--norc'], {
      cwd: join(room, 'root'),
      env: {
        ...ENVIRONMENT,
        PATH: `${join(room, 'bin')}:${process.env.PATH}`,
        HOME: join(room, 'root'),
        ROOM: room,
        SOURCES: root.replace(/\/$/, ''),
        NEXT: next,
        REAL_NPM: which('npm'),
        REAL_INSTALL: which('install'),
        REAL_OPENSSL: which('openssl'),
        // The script of the release installs into the room.
        DESTDIR: room,
        NODE_NO_WARNINGS: '1',
        PORT: String(ports.panel),
        AGENT_PORT: String(ports.agent),
      },
    });
    shell.stdout?.on('data', (text) => {
      said += text;
    });
    shell.stderr?.on('data', (text) => {
      said += text;
    });
    await type('trap \'echo "FAILED: $BASH_COMMAND"\' ERR');
  });
  afterAll(async () => {
    await type('systemctl stop linekeeper linekeeper-agent');
    shell.stdin?.end();
    await oscam.kill();
    await mailbox.close();
    release.close();
    rmSync(room, { recursive: true, force: true });
  });

  /** Types lines, and waits until the shell has run them. Returns the output. */
  async function type(commands: string): Promise<string> {
    const before = said.length;
    const mark = `-- through with ${++line} --`;
    shell.stdin?.write(`${commands}\necho "${mark}"\n`);
    await eventually(async () => expect(said.slice(before)).toContain(mark), 300_000);
    return said.slice(before).replace(mark, '');
  }

  const url = () => `http://127.0.0.1:${ports.panel}`;
  const inRoom = (commands: string) =>
    commands
      .replaceAll('smtp://user:password@smtp.example.org:587', mailbox.url)
      .replaceAll('https://panel.example.org', url())
      .replace(/(?<![\w.>])\/(opt|etc|var|root|usr\/lib)\//g, `${room}/$1/`)
      .replaceAll(':8888', `:${oscam.ports.webif}`)
      .replaceAll(' 12000 ', ` ${oscam.ports.cccam} `)
      .replaceAll(':8080', `:${ports.panel}`)
      .replaceAll(':3000', `:${ports.agent}`);

  /** Runs the commands of a section, with `typed` at the end of its first block. Returns the output. */
  async function follow(page: string, heading: string, typed = ''): Promise<string> {
    const blocks = blocksOf(page).get(heading) ?? [];
    expect(blocks.length, heading).toBeGreaterThan(0);
    done.push(`${page}: ${heading}`);
    let shown = '';
    for (const [at, block] of blocks.entries()) {
      const commands = inRoom(block);
      expect(commands, 'leaves the room').not.toMatch(/(?<![\w.])\/(opt|etc|var|root|usr\/lib)\//);
      shown += await type(at === 0 && typed ? `${commands}${typed}` : commands);
    }
    expect(shown).not.toMatch(/FAILED|command not found|No such file/);
    return shown;
  }

  const journal = () => readFileSync(join(room, 'linekeeper.journal'), 'utf8');
  const served = () => readFileSync(join(room, 'var/lib/linekeeper-agent/CCcam.cfg'), 'utf8');
  const admin = { email: 'you@example.org', password: '' };
  const seller = { email: 'seller@example.org', password: 'a password of a seller' };

  async function signedIn({ email, password }: typeof admin): Promise<TestClient> {
    const client = new TestClient(url());
    await eventually(async () => {
      const reply = await client.signIn(email, password).catch(() => null);
      expect(reply?.status).toBe(200);
    });
    return client;
  }

  async function sell(username: string): Promise<number> {
    const client = await signedIn(seller);
    const body = { username, password: 'amber-heron-7', subscription_months: 1 };
    const { body: sold } = await client.post('/api/lines', body);
    expect(sold.sync).toMatchObject({ ok: true });
    return sold.credits;
  }

  test('has a panel, an agent and a line after the first hour', async () => {
    await follow('tutorials/first-hour.md', '1. The names');
    const { port } = release.address() as { port: number };
    const address = `http://127.0.0.1:${port}`;
    const shown = await follow('tutorials/first-hour.md', '2. The panel', address);
    admin.password = /Password +(\S+) /.exec(shown)?.[1] ?? '';
    expect(shown).toMatch(new RegExp(`Administrator +${admin.email}`));
    expect(readFileSync(join(room, 'etc/caddy/linekeeper.env'), 'utf8')).toBe(
      `PUBLIC_URL=${url()}\nPANELS=127.0.0.1:${ports.panel}\n`,
    );
    await follow('tutorials/first-hour.md', '3. The secret key, off the machine');
    await signedIn(admin);

    // The panel of a clone runs from here on, and what is typed is still the package's command.
    await type('systemctl stop linekeeper');
    await follow('how-to/systemd.md', 'Install it', 'repository');
    const agent = await follow('how-to/agent-by-hand.md', 'From a clone', HTTPPWD);
    const [, password] = /AGENT_PASSWORD=(\S+)/.exec(agent) ?? [];

    const client = await signedIn(admin);
    const { body: added } = await client.post('/api/servers', {
      server_name: 'Frankfurt 1',
      host_ip: '127.0.0.1',
      port: 12000,
      api_port: ports.agent,
      username: 'panel',
      password,
    });
    const tested = await client.post(`/api/servers/${added.server.id}/test`);
    expect(tested.body).toMatchObject({ status: 'active' });
    await client.post('/api/accounts', { ...seller, group_id: '2', credits: 10 });
    expect(await sell('first-line')).toBe(8);
    expect(await follow('tutorials/first-hour.md', '5. The first line')).toContain('accepted: ');
    expect(oscam.names()).toEqual(['by-hand', 'first-line']);

    const backup = await follow('tutorials/first-hour.md', '6. The first backup');
    expect(backup).toContain('every balance is correct');
    expect(backup).toMatch(/linekeeper-\d{4}-\d\d-\d\d-\d{6}-[0-9a-f]{8}\.lkb\.gz/);
    expect(existsSync(join(room, 'var/backups/linekeeper/first-hour.lkb.gz'))).toBe(true);
    expect(journal()).not.toContain('"level":50');
  });

  test('sends mail behind a firewall', async () => {
    await follow('tutorials/first-hour.md', '7. Firewall and mail');
    await signedIn(admin);
    const { email } = admin;
    await new TestClient(url()).post('/api/auth/request-password-reset', { email });
    expect(await mailbox.tokenFor(email, '/reset-password')).not.toBe('');
    expect(mailbox.lettersTo(email).at(-1)?.from?.address).toBe('panel@example.org');
  });

  test('finds nothing in the weekly check', async () => {
    const shown = await follow('how-to/weekly-check.md', 'On the machine');
    expect(shown).toMatch(/^active$/m);
    expect(shown).toContain('"status":"ok"');
    expect(shown).toMatch(/first-hour\.lkb\.gz/);
    expect(shown).toMatch(/^No errors$/m);
  });

  test('upgrades, and goes back', async () => {
    await follow('how-to/systemd.md', 'Upgrade a clone');
    const [back = ''] = blocksOf('how-to/upgrade.md').get('Going back') ?? [];
    expect(await type(inRoom(back))).not.toMatch(/FAILED|command not found|No such file/);
    await signedIn(admin);
    expect(existsSync(join(room, `var/backups/linekeeper/before-${next}.lkb.gz`))).toBe(true);
  });

  test('has everything again on a new disk', async () => {
    await type('systemctl stop linekeeper');
    rmSync(join(room, 'var/lib/linekeeper'), { recursive: true });
    mkdirSync(join(room, 'var/lib/linekeeper'));
    await follow('how-to/disaster.md', 'Restore on a new disk', `before-${next}.lkb.gz`);
    expect(await sell('second-line')).toBe(6);
    expect(served()).toMatch(/F: first-line .*\n(.*\n)*F: second-line /);
  });

  test('practises a restore beside the panel', async () => {
    const backup = join(room, `var/backups/linekeeper/before-${next}.lkb.gz`);
    const shown = await follow('how-to/disaster.md', 'Practise it', backup);
    expect(shown).toMatch(/Restored \d+ rows/);
    expect(shown).toContain('every balance is correct');
  });

  test('proves the books, and makes a new key after somebody got in', async () => {
    await follow('how-to/disaster.md', 'The books do not add up');
    const key = () => readFileSync(join(room, 'var/lib/linekeeper/secret.key'), 'utf8');
    const before = key();
    await follow('how-to/disaster.md', 'Somebody got in');
    expect(key()).not.toBe(before);
    expect(await sell('third-line')).toBe(4);
  });

  test('gets back in without password and phone', async () => {
    const client = await signedIn(admin);
    const shown = await follow('how-to/getting-back-in.md', 'A new password');
    expect((await client.get('/api/me')).status).toBe(401);
    admin.password = /Password: (\S+)/.exec(shown)?.[1] ?? '';
    const owner = await signedIn(admin);
    const { body: begun } = await owner.post('/api/auth/two-factor/enable', {
      password: admin.password,
    });
    const code = totpCode(begun.secret, Math.floor(Date.now() / 1000 / STEP_SECONDS));
    expect((await owner.post('/api/auth/two-factor/verify', { code })).status).toBe(200);
    const again = await follow('how-to/getting-back-in.md', 'The phone and the codes');
    expect(again).toContain('turned off');
    admin.password = /Password: (\S+)/.exec(again)?.[1] ?? '';
    const { body } = await (await signedIn(admin)).get('/api/auth/two-factor');
    expect(body).toEqual({ is_on: false, recovery_codes_left: 0 });
  });

  test('takes along what another machine needs', async () => {
    await follow('how-to/moving.md', 'Pack the old machine');
    expect(globSync('**', { cwd: join(room, 'root/moving') })).toEqual(
      expect.arrayContaining(['panel.lkb.gz', 'secret.key', 'linekeeper.env', 'agent/CCcam.cfg']),
    );
  });

  test('goes on on the new machine', async () => {
    rmSync(join(room, 'var/lib/linekeeper'), { recursive: true });
    mkdirSync(join(room, 'var/lib/linekeeper'));
    await type('systemctl start linekeeper-agent');
    await follow('how-to/moving.md', 'On the new machine');
    expect(await sell('fourth-line')).toBe(2);
  });

  test('brings the customers of an oscam.user along', async () => {
    const row = '[account]\nuser = by-hand\npwd = own\ngroup = 1\n';
    writeFileSync(join(room, 'root/oscam.user'), row);
    const client = await signedIn(admin);
    const [server] = (await client.get('/api/servers')).body.items;
    const line = { username: 'by-hand', password: 'own', expiry_date: '31-12-2027' };
    const file = { action: 'import', adopt: true, rows: [{ ...line, server_id: server.id }] };
    expect((await client.post('/api/lines/bulk', file)).status).toBe(200);
    await eventually(async () => {
      const { status, body } = await client.post(`/api/servers/${server.id}/take-over`);
      expect([status, body.refused?.count]).toEqual([200, 0]);
      const { body: lines } = await client.get('/api/lines?q=by-hand');
      expect(lines.items).toMatchObject([{ username: 'by-hand', sync_state: 'synced' }]);
    }, 60_000);
    const login = { host: '127.0.0.1', port: oscam.ports.cccam, ...line };
    expect(await tryLogin(login)).toMatchObject({ outcome: 'accepted' });
  });

  test('leaves the card server its lines, and nothing else', async () => {
    await follow('how-to/uninstall.md', 'Keep a copy');
    await follow('how-to/uninstall.md', 'An agent from a clone');
    const file = join(room, 'etc/oscam/oscam.user');
    expect(lstatSync(file).isSymbolicLink()).toBe(false);
    expect(readFileSync(file, 'utf8')).toContain('first-line');
    await follow('how-to/uninstall.md', 'The panel');
    const left = ['opt', 'etc/systemd/system', 'var/lib', 'root'].flatMap((folder) =>
      readdirSync(join(room, folder)).filter((name) => name.startsWith('linekeeper')),
    );
    expect(left.toSorted()).toEqual([
      ...['linekeeper-agent', 'linekeeper-last.key', 'linekeeper-last.lkb.gz'],
      ...['linekeeper-secret.key', 'linekeeper.before'],
    ]);
    expect(existsSync(join(room, 'etc/linekeeper.env'))).toBe(false);
    expect(readFileSync(join(room, 'users'), 'utf8')).toBe('linekeeper-agent\n');
  });

  test('has then followed every section that has commands', () => {
    const sections = [
      'tutorials/first-hour.md',
      'how-to/disaster.md',
      'how-to/moving.md',
      'how-to/getting-back-in.md',
      'how-to/weekly-check.md',
      'how-to/uninstall.md',
    ].flatMap((page) => [...blocksOf(page).keys()].map((heading) => `${page}: ${heading}`));
    const others = [
      'how-to/agent-by-hand.md: From a clone',
      'how-to/systemd.md: Install it',
      'how-to/systemd.md: Upgrade a clone',
    ];
    // These sections would change this machine, or need a real package or store.
    const notHere = [
      'how-to/disaster.md: From the store alone',
      'how-to/uninstall.md: The agents',
      'how-to/uninstall.md: PostgreSQL',
      'tutorials/first-hour.md: The first upgrade',
    ];
    expect([...done, ...notHere].toSorted()).toEqual([...sections, ...others].toSorted());
  });
});
