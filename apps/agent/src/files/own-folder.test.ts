import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, spawnAgent, startTestAgent, temporaryFolder } from '../testing.ts';

const NOT_ITS_OWN = /^The agent’s folder is no longer the one it was started in\./;

async function instanceOf(agent: Awaited<ReturnType<typeof startTestAgent>>): Promise<string> {
  return (await agent.call('GET', '/')).body.instance ?? '';
}

const OUTSIDE: [string, (dir: string) => void][] = [
  ['removed', (dir) => rmSync(dir, { recursive: true })],
  [
    'made anew',
    (dir) => {
      rmSync(dir, { recursive: true });
      mkdirSync(dir);
    },
  ],
  [
    'replaced by a copy of itself',
    (dir) => {
      renameSync(dir, `${dir}-before`);
      cpSync(`${dir}-before`, dir, { recursive: true });
    },
  ],
  [
    'a link that leads elsewhere now',
    (dir) => {
      renameSync(dir, `${dir}-before`);
      mkdirSync(`${dir}-other`);
      symlinkSync(`${dir}-other`, dir);
    },
  ],
  ['without its accounts', (dir) => rmSync(join(dir, 'agent.db'))],
  ['without its latest changes', (dir) => rmSync(join(dir, 'agent.db-wal'))],
];

test.each(OUTSIDE)('nothing is acknowledged in a folder that is %s', async (_, spoil) => {
  const dir = join(temporaryFolder(), 'agent');
  const agent = await startTestAgent({ dir, checkEveryMs: 5 });
  await agent.add('bob');
  spoil(dir);
  const files = () => (existsSync(dir) ? readdirSync(dir).sort() : []);
  const before = files();
  for (const answer of [
    await agent.add('eva'),
    await agent.edit({ username: 'bob', newPassword: 'x' }),
    await agent.remove('bob'),
    await agent.call('GET', '/'),
    await agent.call('GET', '/users'),
    await agent.call('GET', '/health'),
  ]) {
    expect(answer.status).toBe(503);
    expect(answer.body.message).toMatch(NOT_ITS_OWN);
  }
  expect(files()).toEqual(before);
});

test('a folder that is put back where it was is served again, with all that was acknowledged', async () => {
  const dir = join(temporaryFolder(), 'agent');
  const agent = await startTestAgent({ dir });
  await agent.add('bob');
  renameSync(dir, `${dir}-away`);
  mkdirSync(dir);
  expect((await agent.add('eva')).status).toBe(503);
  rmSync(dir, { recursive: true });
  renameSync(`${dir}-away`, dir);
  expect((await agent.add('tom')).status).toBe(201);
  await agent.close();
  const again = await startTestAgent({ dir });
  expect((await again.add('bob')).status).toBe(409);
  expect((await again.add('tom')).status).toBe(409);
  expect((await again.add('eva')).status).toBe(201);
});

const LINKS: [string, (link: string, other: string) => void][] = [
  ['is removed', (link) => rmSync(link)],
  [
    'becomes an ordinary file',
    (link) => {
      rmSync(link);
      writeFileSync(link, 'F: op pw\n');
    },
  ],
  [
    'leads elsewhere',
    (link, other) => {
      rmSync(link);
      symlinkSync(other, link);
    },
  ],
];

test.each(LINKS)('nothing is acknowledged while the link to a file %s', async (_, spoil) => {
  const [dir, elsewhere] = [temporaryFolder(), temporaryFolder()];
  const [link, hop] = [join(dir, 'CCcam.cfg'), join(elsewhere, 'hop')];
  const [real, other] = [join(elsewhere, 'real.cfg'), join(elsewhere, 'other.cfg')];
  writeFileSync(real, 'F: op pw\n');
  symlinkSync(real, hop);
  symlinkSync(hop, link);
  const agent = await startTestAgent({ dir, checkEveryMs: 5 });
  expect((await agent.add('bob')).status).toBe(201);
  const before = readFileSync(real, 'utf8');
  for (const broken of [link, hop]) {
    const target = broken === link ? hop : real;
    spoil(broken, other);
    for (const answer of [
      await agent.add('eva'),
      await agent.edit({ username: 'bob', newPassword: 'x' }),
      await agent.remove('bob'),
      await agent.call('GET', '/health'),
    ]) {
      expect(answer.status).toBe(503);
      expect(answer.body.message).toMatch(NOT_ITS_OWN);
    }
    expect(readFileSync(real, 'utf8')).toBe(before);
    for (const path of [broken, other]) {
      if (existsSync(path)) expect(readFileSync(path, 'utf8')).not.toContain('linekeeper');
    }
    rmSync(broken, { force: true });
    symlinkSync(target, broken);
    expect((await agent.call('GET', '/health')).status).toBe(200);
  }
  expect((await agent.add('eva')).status).toBe(201);
  expect(readFileSync(real, 'utf8')).toContain('F: bob pw\nF: eva pw\n');
});

test('a file may become a link only until it is first written', async () => {
  const [dir, elsewhere] = [temporaryFolder(), temporaryFolder()];
  const [link, real] = [join(dir, 'CCcam.cfg'), join(elsewhere, 'real.cfg')];
  const agent = await startTestAgent({ dir });
  symlinkSync(real, link);
  expect((await agent.add('bob')).status).toBe(201);
  expect(readFileSync(real, 'utf8')).toContain('F: bob pw\n');
  rmSync(link);
  expect((await agent.add('eva')).status).toBe(503);
  symlinkSync(real, link);
  expect((await agent.add('eva')).status).toBe(201);

  // The other file was written without a link, so a card server may read it in this folder.
  const oscam = join(dir, 'oscam.user');
  renameSync(oscam, join(elsewhere, 'oscam.user'));
  symlinkSync(join(elsewhere, 'oscam.user'), oscam);
  expect((await agent.add('tom')).status).toBe(503);
  rmSync(oscam);
  expect((await agent.add('tom')).status).toBe(201);
  expect(agent.text('oscam.user').match(/(?<=^user = )\w+/gm)).toEqual(['bob', 'eva', 'tom']);
});

test('a file without a link may be replaced or removed where it is', async () => {
  const agent = await startTestAgent();
  await agent.add('bob');
  const path = join(agent.dir, 'CCcam.cfg');
  writeFileSync(`${path}.new`, `${agent.text('CCcam.cfg')}F: op pw\n`);
  renameSync(`${path}.new`, path);
  expect((await agent.add('eva')).status).toBe(201);
  expect(agent.text('CCcam.cfg')).toMatch(
    /^# BEGIN[\s\S]*F: bob pw\nF: eva pw\n# END.*\nF: op pw\n$/,
  );
  rmSync(path);
  expect((await agent.add('tom')).status).toBe(201);
  expect(agent.text('CCcam.cfg')).toContain('F: bob pw\nF: eva pw\nF: tom pw\n');
});

test('the instance id is kept with its accounts, and new accounts get a new one', async () => {
  const dir = join(temporaryFolder(), 'agent');
  const first = await startTestAgent({ dir });
  const instance = await instanceOf(first);
  expect(instance).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  await first.add('bob');
  await first.close();
  const copy = `${dir}-copy`;
  cpSync(dir, copy, { recursive: true });

  const second = await startTestAgent({ dir });
  expect(await instanceOf(second)).toBe(instance);
  await second.close();

  const restored = await startTestAgent({ dir: copy });
  expect(await instanceOf(restored)).toBe(instance);
  expect((await restored.add('bob')).status).toBe(409);

  // Only the files of the card servers remain.
  for (const name of readdirSync(dir)) if (name.startsWith('agent.')) rmSync(join(dir, name));
  await expect(startTestAgent({ dir })).rejects.toThrow(`another agent, instance ${instance}`);
  for (const name of ['CCcam.cfg', 'oscam.user']) rmSync(join(dir, name));
  const emptied = await startTestAgent({ dir });
  const changed = await instanceOf(emptied);
  expect([changed === instance, changed]).toEqual([false, expect.stringMatching(/./)]);
  expect(await instanceOf(await startTestAgent())).not.toBe(changed);
});

test('a file with a second name is refused at the start, as a write would part the two', async () => {
  const [one, two] = [temporaryFolder(), temporaryFolder()];
  const first = await startTestAgent({ dir: one });
  await first.add('bob');
  linkSync(join(one, 'CCcam.cfg'), join(two, 'CCcam.cfg'));
  writeFileSync(join(two, 'mine.user'), '[account]\nuser = op\npwd = pw\n');
  linkSync(join(two, 'mine.user'), join(two, 'oscam.user'));
  await expect(startTestAgent({ dir: two })).rejects.toThrow('holds the block of another agent');
  rmSync(join(two, 'CCcam.cfg'));
  const child = await spawnAgent({ AGENT_DIR: two });
  expect([child.url, (await child.ended).code]).toEqual([undefined, 1]);
  expect(child.errors()).toMatch(/^Agent could not start: oscam\.user .* a symbolic link\n$/);
  // The running agent continues with its own accounts.
  expect((await first.add('eva')).status).toBe(201);
  expect(readFileSync(join(two, 'mine.user'), 'utf8')).not.toContain('eva');
});

test('what an agent acknowledged before its folder was lost is there after it was put back', async () => {
  const dir = join(temporaryFolder(), 'agent');
  const child = await spawnAgent({ AGENT_DIR: dir });
  const add = (username: string) =>
    call(child.url!, 'POST', '/add-user', { username, password: 'pw', expiryDate: '31-12-2099' });
  const added: string[] = [];
  const all = Array.from({ length: 120 }, async (_, index) => {
    const { status } = await add(`line-${index}`);
    if (status === 201) added.push(`line-${index}`);
    if (added.length === 30 && existsSync(dir)) renameSync(dir, `${dir}-away`);
  });
  await Promise.all(all);
  expect((await add('late')).status).toBe(503);
  child.process.kill('SIGKILL');
  await child.ended;
  const again = await startTestAgent({ dir: `${dir}-away` });
  const listed = (await again.call('GET', '/users')).body.users as unknown as {
    username: string;
  }[];
  expect(listed.map(({ username }) => username)).toEqual(expect.arrayContaining(added));
});
