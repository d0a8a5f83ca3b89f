import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Starts the panel of the browser tests in a process of its own, with all they look at. */
export async function startFurnishedPanel() {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'serve.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text) => String(text).includes('furnished') && resolve());
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
