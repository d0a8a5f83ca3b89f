// `npm run db:migrate` and `npm run db:seed`: with the panel's own settings. Runs on Node 20.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, PrepareError, root } from './prepare.mjs';
import { exitCodeOf, passSignalsToChildren, runChild } from './processes.mjs';

const programs = { migrate: 'migrate.ts', seed: 'seed.ts' };

passSignalsToChildren();
try {
  const program = programs[/** @type {keyof typeof programs} */ (process.argv[2])];
  if (!program) throw new PrepareError('Say what to do: node scripts/db.mjs migrate, or seed.');
  const node = await ensureInstalled();
  const settings = existsSync(join(root, '.env')) ? ['--env-file-if-exists=.env'] : [];
  const main = join(root, 'apps', 'server', 'src', program);
  const ending = await runChild(node, [...settings, main], { cwd: root, stdio: 'inherit' });
  process.exitCode = exitCodeOf(ending);
} catch (error) {
  if (!(error instanceof PrepareError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
