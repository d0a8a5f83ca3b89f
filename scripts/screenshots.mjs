// `npm run screenshots`: takes a picture of every screen, on desktop and phone, into
// docs/screenshots. `-- --only lines` takes those with that word in their names. Runs on Node 20.
import { runPrepared, runProgram } from './launch.mjs';
import { ensureWebBuilt } from './prepare.mjs';

await runPrepared(async (node) => {
  await ensureWebBuilt(node);
  return runProgram(node, 'e2e/support/screenshots.ts', process.argv.slice(2));
});
