// `npm test`: prepares the clone, then runs the steps on Node 24. Runs on Node 20. `npm test --
// types lint` runs only the named steps.
import { join } from 'node:path';
import { ensureInstalled, PrepareError, root } from './prepare.mjs';
import { exitCodeOf, passSignalsToChildren, runChild } from './processes.mjs';

passSignalsToChildren();
try {
  const node = await ensureInstalled();
  const steps = join(root, 'scripts', 'run-tests.ts');
  const ending = await runChild(node, [steps, ...process.argv.slice(2)], {
    cwd: root,
    // The IPC channel lets the run notice that this process was killed, and end its children.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  process.exitCode = exitCodeOf(ending);
} catch (error) {
  if (!(error instanceof PrepareError)) throw error;
  console.error(error.message);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}
