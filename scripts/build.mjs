// `npm run build`: installs and builds everything, for a service that may not write to the clone.
import { runPrepared } from './launch.mjs';
import { ensureWebBuilt } from './prepare.mjs';

await runPrepared(async (node) => {
  await ensureWebBuilt(node);
  return { code: 0, signal: null };
});
