// `npm run dev`: the panel on 8080, restarted when its sources change, and Vite on 5173 in front of
// it. Both end together. Runs on Node 20.
import { join } from 'node:path';
import { runPrepared, settingsArguments } from './launch.mjs';
import { root } from './prepare.mjs';
import { runChild, signalChildren } from './processes.mjs';

const HOST = '127.0.0.1';
/** Vite's configuration proxies API requests to this port. */
const PANEL_PORT = '8080';
const VITE_PORT = '5173';

await runPrepared(async (node) => {
  const children = [runPanel(node), runVite(node)];
  const first = await Promise.race(children);
  signalChildren('SIGTERM');
  await Promise.all(children);
  return first;
});

/** @param {string} node */
function runPanel(node) {
  const main = join(root, 'apps', 'server', 'src', 'commands', 'main.ts');
  return runChild(node, ['--watch', '--watch-preserve-output', ...settingsArguments(), main], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    // The browser uses Vite's address, so requests have that origin.
    env: { ...process.env, HOST, PORT: PANEL_PORT, PUBLIC_URL: `http://${HOST}:${VITE_PORT}` },
  });
}

/** @param {string} node */
function runVite(node) {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const args = ['--host', HOST, '--port', VITE_PORT, '--strictPort'];
  // Clearing the screen would erase the first administrator's password, which is printed only once.
  args.push('--clearScreen', 'false');
  return runChild(node, [vite, ...args], {
    cwd: join(root, 'apps', 'web'),
    // Vite ends when its stdin closes, which also happens when this process is killed.
    stdio: ['pipe', 'inherit', 'inherit'],
  });
}
