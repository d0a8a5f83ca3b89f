// `npm start`: makes the clone ready, then runs the panel. Runs on Node 20.
import { join } from 'node:path';
import { ensureInstalled, ensureWebBuilt, PrepareError, root } from './prepare.mjs';
import { exitCodeOf, passSignalsToChildren, runChild } from './processes.mjs';

passSignalsToChildren();
try {
  const node = await ensureInstalled();
  await ensureWebBuilt(node);
  const main = join(root, 'apps', 'server', 'src', 'main.ts');
  const ending = await runChild(node, [main, ...process.argv.slice(2)], {
    cwd: root,
    // By the channel the panel notices when this process was killed, and ends too.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  process.exitCode = exitCodeOf(ending);
} catch (error) {
  if (!(error instanceof PrepareError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
