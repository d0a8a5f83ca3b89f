import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { type Connection, connectEmbedded, connectPostgres } from '../../db/connect.ts';
import type { Db } from '../../db/transaction.ts';
import { makeDatabase, type TestDatabase } from '../panel.ts';
import { copyEmptyTemplate } from './embedded-template.ts';

/** Creates an empty database without any schema, to test migrations of stored rows. */
export async function withEmptyDatabase(
  kind: TestDatabase,
  use: (db: Db) => Promise<void>,
): Promise<void> {
  const connections: Connection[] = [];
  const open = async (connection: Promise<Connection>) => {
    connections.unshift(await connection);
    return connections[0] as Connection;
  };
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  let remove = async () => {};
  try {
    if (kind === 'embedded') return await withEmptyFolder(use);
    const admin = await open(connectPostgres(inject('postgresUrl')));
    await admin.query(`create database ${name}`);
    remove = async () => void (await admin.query(`drop database ${name} with (force)`));
    const url = new URL(inject('postgresUrl'));
    url.pathname = `/${name}`;
    const { db } = await open(connectPostgres(url.href));
    await use(db);
    await connections.shift()?.close();
  } finally {
    await remove();
    for (const connection of connections) await connection.close();
  }
}

async function withEmptyFolder(use: (db: Db) => Promise<void>): Promise<void> {
  const { env, remove } = await makeDatabase('embedded');
  const { DATA_DIR = '' } = env;
  try {
    await copyEmptyTemplate(inject('embeddedTemplateFolder'), DATA_DIR);
    const { db, close } = await connectEmbedded(DATA_DIR);
    await use(db).finally(close);
  } finally {
    await remove();
  }
}
