// `npm start`: prepares the clone, then runs the panel. Runs on Node 20.
import { runPrepared, runProgram } from './launch.mjs';
import { ensureWebBuilt } from './prepare.mjs';

await runPrepared(async (node) => {
  await ensureWebBuilt(node);
  return runProgram(node, 'apps/server/src/commands/main.ts', process.argv.slice(2));
});
