import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const PURPOSE = 'LINEKEEPER_SEEDED_FOR';

/** True for the panel of the pictures, which has short names instead of the longest. */
export const isForPictures = () => process.env[PURPOSE] === 'pictures';

/** Starts the panel of the browser tests in its own process, with all test data. */
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
