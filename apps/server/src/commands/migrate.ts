// `npm run db:migrate`: applies missing migrations.
import { migrate, unknownMigrations } from '../db/migrate.ts';
import { readConfig } from '../platform/config/config.ts';
import { withStoppedPanel } from './open-database.ts';
import { runCommand, say } from './run-command.ts';

await runCommand('migrate', () =>
  withStoppedPanel(readConfig(process.env), async ({ db }) => {
    const applied = await migrate(db);
    say(applied.length > 0 ? `Applied ${applied.join(', ')}` : 'Nothing to apply');
    return { applied, newer: await unknownMigrations(db) };
  }),
);
