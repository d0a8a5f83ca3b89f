// `npm run demo`: prepares the clone, then runs a furnished panel on a throw-away database. Runs on Node 20.

import { runPrepared } from './launch.mjs';
import { ensureWebBuilt, root } from './prepare.mjs';
import { runChild } from './processes.mjs';

await runPrepared(async (node) => {
  await ensureWebBuilt(node);
  // Settings of a panel in .env concern another panel, so the file is not read.
  return runChild(node, ['scripts/demo/main.ts'], {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
});
