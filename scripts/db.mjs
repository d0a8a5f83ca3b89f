// `npm run db:migrate` and `npm run db:seed`: with the panel's own settings. Runs on Node 20.
import { runPrepared, runProgram } from './launch.mjs';
import { PrepareError } from './prepare.mjs';

const programs = { migrate: 'migrate.ts', seed: 'seed.ts' };

await runPrepared((node) => {
  const program = programs[/** @type {keyof typeof programs} */ (process.argv[2])];
  if (!program) throw new PrepareError('Say what to do: node scripts/db.mjs migrate, or seed.');
  return runProgram(node, `apps/server/src/${program}`);
});
