import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../testing/database/open-database.ts';
import { makeDatabase } from '../testing/panel.ts';
import type { Connection } from './connect.ts';

let connection: Connection;
let people: Map<string, string>;
beforeAll(async () => {
  const { env } = await makeDatabase('postgres');
  connection = await openDatabase(env);
});
beforeEach(() => {
  people = new Map();
});

const idOf = (name: string) => people.get(name) ?? expect.fail(`nobody is called ${name}`);

async function add(name: string, owner?: string): Promise<void> {
  const id = crypto.randomUUID();
  await connection.db
    .insertInto('auth_users')
    .values({
      id,
      email: `${id}@panel.example`,
      username: name,
      group_id: '2',
      owner_id: owner ? idOf(owner) : null,
      avatar_url: null,
      notes: null,
    })
    .execute();
  people.set(name, id);
}

function move(name: string, owner: string | null) {
  return connection.db
    .updateTable('auth_users')
    .set({ owner_id: owner && idOf(owner) })
    .where('id', '=', idOf(name))
    .execute();
}

/** All accounts in the subtree of `name` including itself, each with its distance: "anna0 bert1". */
async function below(name: string): Promise<string> {
  const rows = await connection.db
    .selectFrom('account_tree')
    .innerJoin('auth_users', 'auth_users.id', 'account_tree.account_id')
    .select(['username', 'depth'])
    .where('ancestor_id', '=', idOf(name))
    .orderBy('depth')
    .orderBy('username')
    .execute();
  return rows.map(({ username, depth }) => `${username}${depth}`).join(' ');
}

test('a deep chain is known to everybody in it', async () => {
  const names = Array.from({ length: 30 }, (_, index) => `n${index}`);
  for (const [index, name] of names.entries()) await add(name, names[index - 1]);
  expect(await below('n0')).toBe(names.map((name, depth) => `${name}${depth}`).join(' '));
  expect(await below('n28')).toBe('n280 n291');
  expect(await below('n29')).toBe('n290');
});

describe('a tree of six', () => {
  beforeEach(async () => {
    await add('a');
    await add('b', 'a');
    await add('c', 'b');
    await add('d', 'c');
    await add('e', 'b');
    await add('x');
  });

  test('lists each branch', async () => {
    expect(await below('a')).toBe('a0 b1 c2 e2 d3');
    expect(await below('b')).toBe('b0 c1 e1 d2');
  });

  test('a branch that moves takes all of itself along', async () => {
    await move('b', 'x');
    expect(await below('a')).toBe('a0');
    expect(await below('x')).toBe('x0 b1 c2 e2 d3');
    await move('c', 'a');
    expect(await below('a')).toBe('a0 c1 d2');
    expect(await below('x')).toBe('x0 b1 e2');
    expect(await below('c')).toBe('c0 d1');
  });

  test('a branch may move to the top level, and back', async () => {
    await move('c', null);
    expect(await below('a')).toBe('a0 b1 e2');
    expect(await below('c')).toBe('c0 d1');
    await move('c', 'e');
    expect(await below('a')).toBe('a0 b1 e2 c3 d4');
  });

  test('many may move in one statement', async () => {
    await connection.db
      .updateTable('auth_users')
      .set({ owner_id: idOf('x') })
      .where('id', 'in', [idOf('c'), idOf('e')])
      .execute();
    expect(await below('x')).toBe('x0 c1 e1 d2');
    expect(await below('a')).toBe('a0 b1');
  });

  test('nobody can be put below itself or below those below', async () => {
    for (const [name, owner] of [
      ['a', 'a'],
      ['a', 'b'],
      ['a', 'd'],
      ['b', 'e'],
    ] as const) {
      await expect(move(name, owner)).rejects.toMatchObject({
        code: '23514',
        constraint: 'account_tree_no_circle',
      });
    }
    expect(await below('a')).toBe('a0 b1 c2 e2 d3');
  });

  test('two moves at once that would make a circle together do not both happen', async () => {
    for (let round = 1; round <= 5; round++) {
      const moves = await Promise.allSettled([move('a', 'x'), move('x', 'd')]);
      expect(moves.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      await move('a', null);
      await move('x', null);
    }
    expect(await below('x')).toBe('x0');
    expect(await below('a')).toBe('a0 b1 c2 e2 d3');
  });
});
