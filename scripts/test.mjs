// `npm test`: prepares the clone, then runs the steps on Node 24; `npm run test:all` runs every test.
// Runs on Node 20. `npm test -- types lint` runs only the named steps.
import { join } from 'node:path';
import { runPrepared } from './launch.mjs';
import { root } from './prepare.mjs';
import { runChild } from './processes.mjs';

let isPrepared = false;
await runPrepared((node) => {
  isPrepared = true;
  return runChild(node, [join(root, 'scripts', 'run-tests.ts'), ...process.argv.slice(2)], {
    cwd: root,
    // The IPC channel lets the run notice that this process was killed, and end its children.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
});
if (!isPrepared) console.log('0 passed, 1 failed');
