// `npm run build`: makes the clone ready to run, for a service that may not write to it.
import { runPrepared } from './launch.mjs';
import { ensureWebBuilt } from './prepare.mjs';

await runPrepared(async (node) => {
  await ensureWebBuilt(node);
  return { code: 0, signal: null };
});
