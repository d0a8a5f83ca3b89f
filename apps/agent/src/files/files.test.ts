import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually, startTestAgent, temporaryFolder } from '../testing.ts';

const BEGIN = '# BEGIN linekeeper\n';
const END = '# END linekeeper\n';
const NOTE =
  '# New rows of the linekeeper agent. Name, password and last day are its own, the rest is yours.\n';

function section(name: string, password = 'pw', day = '2099-12-31'): string {
  return `[account]\nuser = ${name}\npwd = ${password}\nexpdate = ${day}\ngroup = 1\n`;
}

/** Removes the instance line, which differs from agent to agent. */
function withoutInstance(text: string): string {
  return text.replace(/^# Instance [0-9a-f-]{36}\n/gm, '');
}

/** The bytes before and after the agent's block. */
function around(bytes: Buffer): [Buffer, Buffer] {
  const begin = bytes.indexOf(BEGIN);
  const end = bytes.indexOf(END);
  expect(begin).toBeGreaterThanOrEqual(0);
  expect(end).toBeGreaterThan(begin);
  return [bytes.subarray(0, begin), bytes.subarray(end + END.length)];
}

test('what the operator wrote stays byte for byte', async () => {
  const dir = temporaryFolder();
  const above = Buffer.concat([
    Buffer.from(
      'SERVER LISTEN PORT : 12000\r\n# caf\xe9 \xff\xfe\x00\r\nF: op pw 0 1 0 { 0:0:2 }\r\n\r\n',
      'latin1',
    ),
    Buffer.from('C: host 12000 me secret\n\t F : zwei  pw\n#F: bob commented\n'),
  ]);
  const below = Buffer.from('\r\n\r\nF: last pw\nno final line feed \xa0', 'latin1');
  const empty = Buffer.from(`# BEGIN linekeeper\r\n# END linekeeper\n`);
  const oscamAbove = Buffer.from('[account]\r\nuser = op2\r\npwd = \xe4\r\ngroup = 2,3', 'latin1');
  writeFileSync(join(dir, 'CCcam.cfg'), Buffer.concat([above, empty, below]));
  writeFileSync(join(dir, 'oscam.user'), oscamAbove);

  const agent = await startTestAgent({ dir });
  for (const name of ['bob', 'eva', 'à']) expect((await agent.add(name)).status).toBe(201);
  expect(around(agent.read('CCcam.cfg'))).toEqual([above, below]);
  expect(withoutInstance(agent.text('CCcam.cfg'))).toContain(
    `${BEGIN}${NOTE}F: bob pw\nF: eva pw\nF: à pw\n${END}`,
  );
  // The line feed belongs to the agent: without it, the agent's first line would be joined to the operator's last line.
  const [oscamKept, nothing] = around(agent.read('oscam.user'));
  expect(oscamKept).toEqual(Buffer.concat([oscamAbove, Buffer.from('\n')]));
  expect(nothing).toHaveLength(0);

  for (const name of ['bob', 'eva', 'à']) expect((await agent.remove(name)).status).toBe(200);
  expect(around(agent.read('CCcam.cfg'))).toEqual([above, below]);
  expect(withoutInstance(agent.text('CCcam.cfg'))).toContain(`${BEGIN}${NOTE}${END}`);
});

test('without accounts a file is neither made nor touched', async () => {
  const dir = temporaryFolder();
  writeFileSync(join(dir, 'CCcam.cfg'), 'F: op pw');
  const before = statSync(join(dir, 'CCcam.cfg'));
  const agent = await startTestAgent({ dir });
  expect(agent.text('CCcam.cfg')).toBe('F: op pw');
  expect(statSync(join(dir, 'CCcam.cfg')).ino).toBe(before.ino);
  expect(existsSync(join(dir, 'oscam.user'))).toBe(false);
});

test('a name the operator keeps by hand is refused with its file, and never doubled', async () => {
  const dir = temporaryFolder();
  const cccam = 'F: op pw\n f:tight{ 0:0:1 }\nF: à pw\n';
  const oscam = '[reader]\nuser = no\n[Account]\nUSER=op2 \npwd = x\n';
  writeFileSync(join(dir, 'CCcam.cfg'), cccam);
  writeFileSync(join(dir, 'oscam.user'), oscam);
  const agent = await startTestAgent({ dir });
  const kept = { op: 'CCcam.cfg', op2: 'oscam.user', tight: 'CCcam.cfg', à: 'CCcam.cfg' };
  for (const [name, file] of Object.entries(kept)) {
    for (const answer of [
      await agent.add(name),
      await agent.edit({ username: name, newPassword: 'x' }),
      await agent.remove(name),
    ]) {
      expect([name, answer.status, answer.body]).toEqual([
        name,
        409,
        {
          message: `${file} still has a row written by hand for this username. Take it over in the panel, or remove it from the file.`,
          code: 'KEPT_BY_HAND',
          data: { file },
        },
      ]);
    }
  }
  expect([agent.text('CCcam.cfg'), agent.text('oscam.user')]).toEqual([cccam, oscam]);

  // A row with this name in another section of the file is not an account.
  expect((await agent.add('no')).status).toBe(201);
  const again = await agent.add('no');
  expect([again.status, again.body.code]).toEqual([409, 'USERNAME_EXISTS']);
  // A name that was sold belongs to the agent: a second row with the name is removed, regardless of who wrote it.
  writeFileSync(join(dir, 'CCcam.cfg'), `F: no handmade\n${agent.text('CCcam.cfg')}`);
  expect((await agent.edit({ username: 'no', newPassword: 'new' })).status).toBe(200);
  expect(agent.text('CCcam.cfg').match(/^F: no .*$/gm)).toEqual(['F: no new']);
  expect((await agent.remove('no')).status).toBe(200);
  expect(agent.text('CCcam.cfg')).not.toContain('F: no');
});

test('a lost END marker costs the operator nothing and keeps no deleted account alive', async () => {
  const agent = await startTestAgent();
  for (const name of ['bob', 'eva', 'tom']) await agent.add(name);
  const cccam = 'F: op pw\nF: bobby pw 0 1 0 { 0:0:1 }x\n# the end\n';
  const oscam = '[account]\nuser = op\npwd = pw\n\n[account]\nuser = eve\n';
  for (const [file, tail] of [
    ['CCcam.cfg', cccam],
    ['oscam.user', oscam],
  ] as const) {
    writeFileSync(join(agent.dir, file), agent.text(file).replace(END, tail));
  }
  expect((await agent.remove('eva')).status).toBe(200);
  expect(withoutInstance(agent.text('CCcam.cfg'))).toBe(
    `${BEGIN}${NOTE}F: bob pw\nF: tom pw\n${END}${cccam}`,
  );
  expect(withoutInstance(agent.text('oscam.user'))).toBe(
    `${BEGIN}${NOTE}${section('bob')}${section('tom')}${END}${oscam}`,
  );
});

test('a second block and a marker without its pair are handled', async () => {
  const dir = temporaryFolder();
  const path = join(dir, 'CCcam.cfg');
  writeFileSync(
    path,
    `# END linekeeper\n1\n${BEGIN}F: x y\n2\n${BEGIN}F: z y\n${END}3\n${BEGIN}F: q y\n${END}4`,
  );
  const agent = await startTestAgent({ dir });
  await agent.add('bob');
  expect(withoutInstance(agent.text('CCcam.cfg'))).toBe(
    `# END linekeeper\n1\n${BEGIN}${NOTE}F: bob pw\n${END}F: x y\n2\nF: z y\n3\nF: q y\n4`,
  );
});

test('a linked file is written through its link', async () => {
  const dir = temporaryFolder();
  const elsewhere = temporaryFolder();
  writeFileSync(join(elsewhere, 'real.cfg'), 'F: op pw\n');
  symlinkSync(join(elsewhere, 'real.cfg'), join(elsewhere, 'hop'));
  symlinkSync(join(elsewhere, 'hop'), join(dir, 'CCcam.cfg'));
  symlinkSync('not-yet.user', join(dir, 'oscam.user'));
  const agent = await startTestAgent({ dir });
  expect((await agent.add('bob')).status).toBe(201);
  for (const file of ['CCcam.cfg', 'oscam.user']) {
    expect(lstatSync(join(dir, file)).isSymbolicLink()).toBe(true);
  }
  expect(readFileSync(join(elsewhere, 'real.cfg'), 'utf8')).toContain('F: op pw\n# BEGIN');
  expect(readFileSync(join(dir, 'not-yet.user'), 'utf8')).toContain('user = bob');
  await agent.close();
  expect(readdirSync(elsewhere).sort()).toEqual(['.real.cfg.linekeeper-lock', 'hop', 'real.cfg']);
});

test('an existing file keeps its mode, new ones and the database are private', async () => {
  const dir = temporaryFolder();
  writeFileSync(join(dir, 'CCcam.cfg'), '');
  chmodSync(join(dir, 'CCcam.cfg'), 0o664);
  const agent = await startTestAgent({ dir });
  await agent.add('bob');
  const modeOf = (file: string) => statSync(join(dir, file)).mode & 0o7777;
  expect(modeOf('CCcam.cfg')).toBe(0o664);
  const made = ['oscam.user', 'agent.db', 'agent.db-wal'];
  expect(made.map(modeOf)).toEqual(made.map(() => 0o600));
});

test('an account is valid through its last day, and drops out when that day is over', async () => {
  let now = new Date('2027-03-09T12:00:00Z');
  // Berlin is an hour ahead of UTC, so 10 March ends there at 23:00 UTC.
  const agent = await startTestAgent({
    timeZone: 'Europe/Berlin',
    now: () => now,
    checkEveryMs: 10,
  });
  expect((await agent.add('past', 'pw', '08-03-2027')).status).toBe(201);
  await agent.add('today', 'pw', '09-03-2027');
  await agent.add('tomorrow', 'pw', '10-03-2027');
  const names = (file: string) => agent.text(file).match(/(?<=^F: |^user = )\w+/gm) ?? [];
  const both = () => [names('CCcam.cfg'), names('oscam.user')];
  expect(both()).toEqual(Array(2).fill(['today', 'tomorrow']));
  now = new Date('2027-03-09T23:00:00Z');
  await eventually(() => expect(both()).toEqual(Array(2).fill(['tomorrow'])));
  now = new Date('2027-03-10T22:59:59Z');
  await agent.add('late', 'pw', '10-03-2027');
  expect(both()).toEqual(Array(2).fill(['late', 'tomorrow']));
  now = new Date('2027-03-10T23:00:00Z');
  await eventually(() => expect(both()).toEqual(Array(2).fill([])));

  // Expired accounts stay stored: their name is not free, and a later date reactivates them.
  expect((await agent.add('past')).status).toBe(409);
  expect((await agent.edit({ username: 'past', newExpiryDate: '11-03-2027' })).status).toBe(200);
  expect(both()).toEqual(Array(2).fill(['past']));
});

test('a file that cannot be written is a 500, and is written as soon as it can be', async () => {
  const agent = await startTestAgent({ checkEveryMs: 20 });
  const oscamUser = join(agent.dir, 'oscam.user');
  // The name is too long for a temporary file beside it.
  symlinkSync('x'.repeat(250), oscamUser);
  const failed = await agent.add('bob');
  expect([failed.status, failed.body.message]).toEqual([
    500,
    'Could not write oscam.user (ENAMETOOLONG). The change is stored and will be written later.',
  ]);
  expect(agent.text('CCcam.cfg')).toContain('F: bob pw\n');
  expect((await agent.add('bob')).status).toBe(409);
  expect((await agent.edit({ username: 'bob', newPassword: 'new' })).status).toBe(500);
  rmSync(oscamUser);
  await eventually(() => expect(agent.text('oscam.user')).toContain('user = bob\npwd = new\n'));
  // The new file appears a moment before its temporary file is removed.
  const temporary = () =>
    readdirSync(agent.dir).filter((name) => /linekeeper-[0-9a-f]{16}/.test(name));
  await eventually(() => expect(temporary()).toEqual([]));
});

test('a file that cannot be read changes nothing', async () => {
  const agent = await startTestAgent();
  mkdirSync(join(agent.dir, 'CCcam.cfg'));
  const refused = await agent.add('bob');
  expect([refused.status, refused.body.message]).toEqual([
    500,
    'Could not read CCcam.cfg (not a regular file). Nothing was changed.',
  ]);
  rmdirSync(join(agent.dir, 'CCcam.cfg'));
  expect((await agent.add('bob')).status).toBe(201);
});

test('what a killed write left behind is removed at the next start, nothing else', async () => {
  const dir = temporaryFolder();
  const stale = '.CCcam.cfg.linekeeper-0123456789abcdef';
  const others = ['.CCcam.cfg.linekeeper-notes', '.CCcam.cfg.swp', 'CCcam.cfg.bak'];
  for (const name of [stale, ...others]) writeFileSync(join(dir, name), 'x');
  await startTestAgent({ dir });
  expect(others.filter((name) => existsSync(join(dir, name)))).toEqual(others);
  expect(existsSync(join(dir, stale))).toBe(false);
});
