// `npm run soak`: tests the threats at full size, for hours; writes bench/soak.md. Runs on Node 20.
// `npm run soak -- kills` runs the test files with that word in their names.
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
