import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { panelPort } from './panel.ts';

/** Distance from the ports of the panels that all tests share, and of the panel with mail. */
const PORTS_BESIDE = 2000;

export async function startPanelWithInjections(): Promise<{ url: string; stop(): Promise<void> }> {
  const script = fileURLToPath(new URL('serve-with-injections.ts', import.meta.url));
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, OWN_PANEL_PORT: String(panelPort + PORTS_BESIDE) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { value, done } = await createInterface({ input: child.stdout })
    [Symbol.asyncIterator]()
    .next();
  if (done) throw new Error('the panel has ended');
  return {
    url: JSON.parse(value).url,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
