// `npm run agent`: makes the clone ready, then runs the card-server agent. Runs on Node 20.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, PrepareError, root } from './prepare.mjs';
import { exitCodeOf, passSignalsToChildren, runChild } from './processes.mjs';

passSignalsToChildren();
try {
  const node = await ensureInstalled();
  const settings = existsSync(join(root, '.env')) ? ['--env-file-if-exists=.env'] : [];
  const main = join(root, 'apps', 'agent', 'src', 'main.ts');
  const ending = await runChild(node, [...settings, main], { cwd: root, stdio: 'inherit' });
  process.exitCode = exitCodeOf(ending);
} catch (error) {
  if (!(error instanceof PrepareError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
