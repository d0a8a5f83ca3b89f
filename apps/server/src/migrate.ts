import { resolve } from 'node:path';
import { readConfig } from './core/config.ts';
import { connectEmbedded, connectPostgres } from './db/connect.ts';
import { migrate } from './db/migrate.ts';

const config = readConfig(process.env);
const connection = config.database_url
  ? await connectPostgres(config.database_url)
  : await connectEmbedded(resolve(config.data_dir));
const applied = await migrate(connection.db);
await connection.close();
process.stdout.write(applied.length > 0 ? `Applied ${applied.join(', ')}\n` : 'Nothing to apply\n');
