import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { startTestAgent, temporaryFolder } from '../testing.ts';

const INSTANCE = '0f0e0d0c-1111-4222-8333-444455556666';

/** The accounts as version 1.0.0 stored them. */
function folderOf100(
  accounts: [username: string, password: string, day: string][],
  gone: string[],
) {
  const dir = temporaryFolder();
  const db = new DatabaseSync(join(dir, 'agent.db'));
  db.exec(`
    CREATE TABLE accounts (
      username TEXT PRIMARY KEY, password TEXT NOT NULL, expiry_date TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE departed (
      id INTEGER PRIMARY KEY AUTOINCREMENT, username TEXT NOT NULL
    ) STRICT;
    CREATE TABLE instance (
      only_row INTEGER PRIMARY KEY CHECK (only_row = 1), id TEXT NOT NULL
    ) STRICT;
  `);
  db.prepare('INSERT INTO instance VALUES (1, ?)').run(INSTANCE);
  for (const account of accounts)
    db.prepare('INSERT INTO accounts VALUES (?, ?, ?)').run(...account);
  for (const name of gone) db.prepare('INSERT INTO departed (username) VALUES (?)').run(name);
  db.close();
  return dir;
}

function blockOf100(rows: string): string {
  const note = '# Written by the linekeeper agent. Changes between BEGIN and END are lost.';
  return `# BEGIN linekeeper\n${note}\n# Instance ${INSTANCE}\n${rows}# END linekeeper\n`;
}

const section = (name: string, password = 'pw', day = '2099-12-31', more = 'group = 1\n') =>
  `[account]\nuser = ${name}\npwd = ${password}\nexpdate = ${day}\n${more}`;

test('the block of version 1.0.0 becomes rows of the agent’s, its by-hand names stay by hand', async () => {
  const dir = folderOf100(
    [
      ['bob', 'new', '2099-12-31'],
      ['eva', 'pw', '2099-12-31'],
      ['kim', 'pw', '2099-12-31'],
      ['old', 'pw', '2020-01-01'],
    ],
    ['gone'],
  );
  const own = 'F: kim by-hand 1 0 1 { 0:0:1 }\n';
  const inside = 'F: bob pw\nF: eva pw\nF: gone pw\nF: old pw\nF: unknown pw\nnote\n';
  writeFileSync(join(dir, 'CCcam.cfg'), `${own}${blockOf100(inside)}# the end\n`);
  writeFileSync(
    join(dir, 'oscam.user'),
    blockOf100(section('bob') + section('eva') + section('kim') + section('gone')),
  );
  const agent = await startTestAgent({ dir });
  expect(agent.text('CCcam.cfg').match(/^(?:F:|note|# the).*$/gm)).toEqual([
    'F: kim by-hand 1 0 1 { 0:0:1 }',
    'F: bob new',
    'F: eva pw',
    '# the end',
  ]);
  expect(agent.text('oscam.user').match(/(?<=^user = |^pwd = ).*$/gm)).toEqual([
    'bob',
    'new',
    'eva',
    'pw',
    'kim',
    'pw',
  ]);
  const refused = await agent.edit({ username: 'kim', newPassword: 'x' });
  expect([refused.status, refused.body.data]).toEqual([409, { file: 'CCcam.cfg' }]);
  for (const name of ['bob', 'eva']) {
    expect((await agent.edit({ username: name, newPassword: 'x' })).status).toBe(200);
  }

  const kim = { username: 'kim', password: 'by-hand', expiryDate: '31-12-2099' };
  const taken = await agent.call('POST', '/take-over', { accounts: [kim] });
  expect(taken.body).toMatchObject({ taken: ['kim'], refused: [] });
  expect((await agent.edit({ username: 'kim', newPassword: 'x' })).status).toBe(200);
  expect(agent.text('CCcam.cfg')).toContain('F: kim x 1 0 1 { 0:0:1 }\n');
  expect(agent.text('oscam.user').match(/(?<=^pwd = ).*$/gm)).toEqual(['x', 'x', 'x']);
});

test('rows of version 1.0.0 whose marks OSCam dropped are the agent’s where they equal the account', async () => {
  const dir = folderOf100(
    [
      ['bob', 'pw', '2099-12-31'],
      ['eva', 'pw', '2099-12-31'],
      ['kim', 'pw', '2099-12-31'],
    ],
    [],
  );
  const saved =
    section('bob') + section('eva', 'pw', '2030-01-01', 'group = 5\n') + section('kim', 'own');
  writeFileSync(join(dir, 'oscam.user'), saved);
  const agent = await startTestAgent({ dir, oscamGroup: '2' });
  expect(agent.text('oscam.user')).toBe(
    section('bob', 'pw', '2099-12-31', 'group = 2\n') +
      section('eva', 'pw', '2099-12-31', 'group = 5\n') +
      section('kim', 'own'),
  );
  expect((await agent.remove('bob')).status).toBe(200);
  expect((await agent.remove('kim')).status).toBe(409);
  expect(readFileSync(join(dir, 'oscam.user'), 'utf8')).not.toContain('user = bob');
});
