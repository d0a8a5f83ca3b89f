// `npm run db:migrate`: applies missing migrations.
import { resolve } from 'node:path';
import { migrate } from '../db/migrate.ts';
import { readConfig } from '../platform/config/config.ts';
import { openDatabase } from './open-database.ts';
import { runCommand, say } from './run-command.ts';

await runCommand(async () => {
  const config = readConfig(process.env);
  const connection = await openDatabase(config);
  if (!connection)
    throw new Error(`A panel is running on ${resolve(config.data_dir)}. Stop it first`);
  try {
    const applied = await migrate(connection.db);
    say(applied.length > 0 ? `Applied ${applied.join(', ')}` : 'Nothing to apply');
  } finally {
    await connection.close();
  }
});
