// `npm run db:migrate`: brings the schema up to date and ends.
import { resolve } from 'node:path';
import { readConfig } from './core/config.ts';
import { connectEmbedded, connectPostgres } from './db/connect.ts';
import { migrate } from './db/migrate.ts';
import { runCommand, say } from './run-command.ts';

await runCommand(async () => {
  const config = readConfig(process.env);
  const connection = config.database_url
    ? await connectPostgres(config.database_url)
    : await connectEmbedded(resolve(config.data_dir));
  try {
    const applied = await migrate(connection.db);
    say(applied.length > 0 ? `Applied ${applied.join(', ')}` : 'Nothing to apply');
  } finally {
    await connection.close();
  }
});
