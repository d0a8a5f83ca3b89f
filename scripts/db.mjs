// The npm commands for the database, such as `npm run db:seed` and `npm run backup`: each runs a program of the
// server with the panel's settings, from .env, from the file of LINEKEEPER_SETTINGS or from that of
// `--settings=<file>`. Runs on Node 20.
import { runPrepared, runProgram } from './launch.mjs';
import { PrepareError } from './prepare.mjs';

const programs = [
  'migrate',
  'seed',
  'backup',
  'restore',
  'rotate-keys',
  'verify-ledger',
  'reset-password',
];

/** A backup is checked row by row: with less room for new objects, millions of rows leave less garbage. */
const restoreArgs = ['--max-semi-space-size=4'];

await runPrepared((node) => {
  const [program = '', ...given] = process.argv.slice(2);
  if (!programs.includes(program)) {
    throw new PrepareError(`Say what to do: node scripts/db.mjs ${programs.join(', or ')}.`);
  }
  const settings = /^--settings=/;
  const args = given.filter((argument) => !settings.test(argument));
  const file = given.findLast((argument) => settings.test(argument))?.replace(settings, '');
  if (file !== undefined) process.env.LINEKEEPER_SETTINGS = file;
  const nodeArgs = program === 'restore' ? restoreArgs : [];
  return runProgram(node, `apps/server/src/commands/${program}.ts`, args, nodeArgs);
});
