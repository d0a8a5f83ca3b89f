import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases, makeDatabase } from '../testing/panel.ts';
import { type Connection, connectEmbedded, connectPostgres } from './connect.ts';
import { type Db, transact } from './transaction.ts';

async function open(kind: (typeof databases)[number]) {
  if (kind === 'embedded') return connectEmbedded(null);
  const { env } = await makeDatabase(kind);
  return connectPostgres(env.DATABASE_URL ?? '');
}

describe.each(databases)('a transaction on %s', (kind) => {
  let connection: Connection;
  let db: Db;
  beforeAll(async () => {
    connection = await open(kind);
    db = connection.db;
    await sql`create table notes (id integer primary key, text text not null)`.execute(db);
  });
  afterAll(() => connection?.close());

  const write = (on: Db, id: number, text = 'x') =>
    sql`insert into notes values (${id}, ${text})`.execute(on);
  async function ids(): Promise<number[]> {
    const { rows } = await sql<{ id: number }>`select id from notes order by id`.execute(db);
    return rows.map(({ id }) => id);
  }
  async function isClean(): Promise<void> {
    const before = await ids();
    // A statement outside a transaction is never rolled back later.
    await write(db, 1000 + before.length);
    await transact(db, async () => {
      throw new Error('never mind');
    }).catch(() => {});
    expect(await ids()).toEqual([...before, 1000 + before.length]);
  }

  test('keeps all of what was done', async () => {
    const result = await transact(db, async (tx) => {
      await write(tx, 1);
      await write(tx, 2);
      return 'done';
    });
    expect(result).toBe('done');
    expect(await ids()).toEqual(expect.arrayContaining([1, 2]));
  });

  test('keeps nothing where anything throws', async () => {
    const before = await ids();
    const work = transact(db, async (tx) => {
      await write(tx, 10);
      throw new Error('changed my mind');
    });
    await expect(work).rejects.toThrow('changed my mind');
    expect(await ids()).toEqual(before);
    await isClean();
  });

  test('keeps nothing where a statement fails, and the next one finds a clean connection', async () => {
    const before = await ids();
    for (const wrong of [
      (tx: Db) => write(tx, 1),
      (tx: Db) => sql`select 1 / 0`.execute(tx),
      (tx: Db) => sql`not even sql`.execute(tx),
    ]) {
      const work = transact(db, async (tx) => {
        await write(tx, 20);
        await wrong(tx);
      });
      await expect(work).rejects.toThrow();
      expect(await ids()).toEqual(before);
    }
    await isClean();
  });

  test('fails even where the failed statement was caught', async () => {
    const before = await ids();
    await transact(db, async (tx) => {
      await write(tx, 30);
      await write(tx, 1).catch(() => {});
    }).catch(() => {});
    expect(await ids()).toEqual(before);
    await isClean();
  });

  test('refuses the outer database instead of waiting for itself', async () => {
    const before = await ids();
    const outer = /Use the transaction handle/;
    const work = transact(db, async (tx) => {
      await write(tx, 40);
      await write(db, 41);
    });
    await expect(work).rejects.toThrow(outer);
    await expect(transact(db, () => transact(db, async () => 1))).rejects.toThrow(outer);
    expect(await ids()).toEqual(before);
    await isClean();
  });

  test('does not include concurrent changes outside of it', async () => {
    let goOn = () => {};
    const pause = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let others: Promise<unknown>[] = [];
    const work = transact(db, async (tx) => {
      await write(tx, 50);
      await pause;
      throw new Error('rolled back');
    });
    others = [write(db, 51), transact(db, (tx) => write(tx, 52))];
    setTimeout(goOn, 50);
    await expect(work).rejects.toThrow('rolled back');
    await Promise.all(others);
    expect(await ids()).toEqual(expect.arrayContaining([51, 52]));
    expect(await ids()).not.toContain(50);
  });

  // With a single connection there are no deadlocks.
  if (kind === 'embedded') return;
  test('is retried after a deadlock', async () => {
    await write(db, 61);
    await write(db, 62);
    let waiting = 0;
    let bothHoldOne = () => {};
    const barrier = new Promise<void>((resolve) => {
      bothHoldOne = resolve;
    });
    let tries = 0;
    const take = (first: number, second: number) =>
      transact(db, async (tx) => {
        tries += 1;
        const append = (id: number) =>
          sql`update notes set text = text || ${`+${first}`} where id = ${id}`.execute(tx);
        await append(first);
        if (++waiting >= 2) bothHoldOne();
        await barrier;
        await append(second);
      });
    await Promise.all([take(61, 62), take(62, 61)]);
    expect(tries).toBeGreaterThanOrEqual(3);
    const { rows } = await sql<{ text: string }>`
      select text from notes where id in (61, 62)`.execute(db);
    for (const { text } of rows) expect([...text].sort().join('')).toBe('++1266x');
  });
});
