import { once } from 'node:events';
import { open } from '@linekeeper/data-folder/open.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeMigratedDatabase } from '../testing/process/process.ts';
import { mayBePrepared, PLANNED_FOR_VALUES, PreparingClient } from './prepared.ts';

let client: PreparingClient;
let other: pg.Client;
beforeAll(async () => {
  const database = await makeMigratedDatabase('postgres');
  const connectionString = database.env.DATABASE_URL ?? '';
  client = new PreparingClient({ connectionString });
  other = new pg.Client({ connectionString });
  await Promise.all([client.connect(), other.connect()]);
});
afterAll(() => Promise.all([client?.end(), other?.end()]));

const prepared = async (): Promise<string[]> => {
  const { rows } = await client.query('table pg_prepared_statements' as string);
  return rows.map((row: { statement: string }) => row.statement);
};

test('what is asked again is prepared, what is asked once is not', async () => {
  const often = 'select 1 as one where 1 = $1::integer';
  for (let time = 1; time <= 3; time++) {
    expect((await client.query(often, [1])).rows).toEqual([{ one: 1 }]);
  }
  await client.query('select 2 as two where 2 = $1::integer', [2]);
  expect(await prepared()).toEqual([often]);
});

test('values and columns of every kind come out the same each time they are asked for', async () => {
  const text = `select $1::text as text, $2::integer as number, $3::boolean as yes, $4::text as none,
    $5::jsonb as json, $6::text[] as list, date '2026-07-01' as day, count(*) as many`;
  const values = ['Łódź 😀 \u0001 "quoted"', 7, true, null, '{"a": [1, null]}', '{"x y",z}'];
  for (let time = 1; time <= 4; time++) {
    const { rows, rowCount } = await client.query(text, values);
    expect(rowCount).toBe(1);
    expect(rows).toEqual([
      {
        text: values[0],
        number: 7,
        yes: true,
        none: null,
        json: { a: [1, null] },
        list: ['x y', 'z'],
        day: expect.anything(),
        many: expect.anything(),
      },
    ]);
  }
  const given = [...values.slice(0, 4), { a: 1 }, ['given', 'as a list']];
  const { rows } = await client.query(text, given);
  expect(rows[0]).toMatchObject({ json: { a: 1 }, list: ['given', 'as a list'] });
});

test('a statement that fails leaves its connection as it was, whenever it fails', async () => {
  const ask = (by: number) => client.query('select 10 / $1::integer as tenth', [by]);
  for (let time = 1; time <= 3; time++) {
    expect((await ask(5)).rows).toEqual([{ tenth: 2 }]);
    await expect(ask(0)).rejects.toMatchObject({ code: '22012' });
  }
  expect((await ask(2)).rows).toEqual([{ tenth: 5 }]);
});

test('what is changed is counted each time', async () => {
  await other.query('create table counted (value integer)');
  const insert = 'insert into counted select generate_series(1, $1::integer)';
  for (let time = 1; time <= 3; time++) {
    expect(await client.query(insert, [3])).toMatchObject({ command: 'INSERT', rowCount: 3 });
  }
  const remove = 'delete from counted where value = $1::integer';
  for (const found of [3, 0, 0]) {
    expect(await client.query(remove, [1])).toMatchObject({ command: 'DELETE', rowCount: found });
  }
});

test('a statement whose columns a migration changes is prepared anew', async () => {
  await other.query('create table changed (value integer); insert into changed values (7)');
  const ask = () => client.query('select value from changed where $1::integer = 1', [1]);
  for (let time = 1; time <= 3; time++) expect((await ask()).rows).toEqual([{ value: 7 }]);
  await other.query('alter table changed alter column value type text');
  expect((await ask()).rows).toEqual([{ value: '7' }]);
  expect((await ask()).rows).toEqual([{ value: '7' }]);
});

test('in a transaction that says so, and the next one is right', async () => {
  await other.query('create table moved (value integer); insert into moved values (7)');
  const ask = () => client.query('select value from moved where $1::integer = 1', [1]);
  for (let time = 1; time <= 3; time++) await ask();
  await other.query('alter table moved alter column value type text');
  await client.query('begin');
  await expect(ask()).rejects.toThrow('cached plan must not change result type');
  await client.query('rollback');
  await client.query('begin');
  expect((await ask()).rows).toEqual([{ value: '7' }]);
  await client.query('commit');
});

test('not more than 300 are kept, and each answers right before and after it was let go', async () => {
  const ask = async (number: number) => {
    const { rows } = await client.query(`select ${number} + $1::integer as sum`, [1]);
    expect(rows).toEqual([{ sum: number + 1 }]);
  };
  for (let time = 1; time <= 2; time++) {
    for (let number = 0; number < 400; number++) {
      await ask(number);
      await ask(number);
    }
  }
  expect((await prepared()).length).toBeLessThanOrEqual(300);
});

test.each([
  ['select id from users where id = $1', true],
  ['select count(*) from users', true],
  ['with found as (select id from users) update users set name = null', true],
  ['select * from users', false],
  ['insert into users (id) values ($1) returning *', false],
  ['select id, "users".* from users', false],
  ['begin', false],
  ['create table more (id integer)', false],
  ['select 1; select 2', false],
  [`select id ${PLANNED_FOR_VALUES} from users`, false],
])('%s may be prepared: %s', (text, expected) => {
  expect(mayBePrepared(text)).toBe(expected);
});

test('a new client of the embedded database, whose session stays, has names of its own', async () => {
  const embedded = await open(null, { Client: PreparingClient });
  const askedTwice = async (text: string) => {
    const session = await embedded.pool.connect();
    await session.query(text);
    const { rows } = await session.query(text);
    session.release();
    return rows;
  };
  expect(await askedTwice('select 1 as one')).toEqual([{ one: 1 }]);
  const removed = once(embedded.pool, 'remove');
  (await embedded.pool.connect()).release(true);
  await removed;
  expect(await askedTwice('select 2 as two')).toEqual([{ two: 2 }]);
  expect(await askedTwice('select 1 as one')).toEqual([{ one: 1 }]);
  await embedded.close();
});
