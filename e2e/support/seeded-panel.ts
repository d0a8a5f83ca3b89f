import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const PURPOSE = 'LINEKEEPER_SEEDED_FOR';

/** True in a panel that pictures are taken of: it has short names in place of the longest. */
export const isForPictures = () => process.env[PURPOSE] === 'pictures';

/** Starts the panel of the browser tests in a process of its own, with all they look at. */
export async function startSeededPanel(purpose: 'pictures' | 'figures') {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'serve.ts')], {
    env: { ...process.env, [PURPOSE]: purpose },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text) => String(text).includes('seeded') && resolve());
    child.once('exit', () => reject(new Error('The panel ended')));
  });
  return {
    stop: async () => {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
