// The npm commands for the database, such as `npm run db:seed` and `npm run backup`: each runs a
// program of the server with the panel's settings. Runs on Node 20.
import { runPrepared, runProgram } from './launch.mjs';
import { PrepareError } from './prepare.mjs';

const programs = ['migrate', 'seed', 'backup', 'restore', 'rotate-keys', 'verify-ledger', 'import'];

await runPrepared((node) => {
  const [program = '', ...args] = process.argv.slice(2);
  if (!programs.includes(program)) {
    throw new PrepareError(`Say what to do: node scripts/db.mjs ${programs.join(', or ')}.`);
  }
  return runProgram(node, `apps/server/src/${program}.ts`, args);
});
