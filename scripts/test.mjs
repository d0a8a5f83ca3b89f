// `npm test`: prepares the clone, then runs the steps on Node 24; `npm run test:all` runs every test.
// Runs on Node 20. `npm test -- types lint` runs only the named steps.
import { runPrepared, runWithoutSettings } from './launch.mjs';

let isPrepared = false;
await runPrepared((node) => {
  isPrepared = true;
  return runWithoutSettings(node, 'scripts/run-tests.ts', process.argv.slice(2));
});
if (!isPrepared) console.log('0 passed, 1 failed');
