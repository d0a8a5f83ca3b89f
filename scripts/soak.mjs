// `npm run soak`: the threats at full size, for hours; writes bench/soak.md. Runs on Node 20.
// `npm run soak -- kills` runs the test files whose names hold that word.
import { join } from 'node:path';
import { runPrepared } from './launch.mjs';
import { root } from './prepare.mjs';
import { runChild } from './processes.mjs';

await runPrepared((node) =>
  runChild(
    node,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      ...['run', '--config', 'vitest.soak.config.ts'],
      ...process.argv.slice(2),
    ],
    { cwd: root, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] },
  ),
);
