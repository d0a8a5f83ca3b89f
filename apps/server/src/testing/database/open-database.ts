import { type Connection, connectEmbedded, connectPostgres } from '../../db/connect.ts';
import { atEnd } from '../at-end.ts';

/** Opens the database of `makeDatabase`. The connection ends with the test file. */
export async function openDatabase(env: Record<string, string>): Promise<Connection> {
  const connection = env.DATABASE_URL
    ? await connectPostgres(env.DATABASE_URL)
    : await connectEmbedded(env.DATA_DIR ?? '');
  return { ...connection, close: atEnd(connection.close) };
}
