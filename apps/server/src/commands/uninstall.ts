// `linekeeper uninstall`: removes the program and leaves settings, data and backups. In a clone it prints the steps.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { runCommand, say } from './run-command.ts';
import { thisInstallation } from './update/installation.ts';

const ANSWER = 'remove';
const inClone = [
  'This is for a panel that runs with npm start. Stop it with Ctrl-C, and remove the folder of the clone',
];

async function isSure(): Promise<boolean> {
  if (!process.stdin.isTTY) throw new Error('Add --yes, because there is no terminal to ask on');
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await reader.question(
    `The agents on card servers stay: remove them first, as the guide shows. Type ${ANSWER} to remove the panel: `,
  );
  reader.close();
  return answer.trim() === ANSWER;
}

await runCommand('uninstall', async ({ values }) => {
  const { cache, backups } = thisInstallation('uninstall', inClone);
  if (!values.yes && !(await isSure())) throw new Error('Nothing was removed');
  // The package stops the panel. It is not disabled, so that it starts if the package is installed again.
  execFileSync('dpkg', ['--remove', 'linekeeper'], { stdio: ['ignore', 'ignore', 'inherit'] });
  const kept = ['/etc/linekeeper.env', '/var/lib/linekeeper', backups, cache];
  const left = kept.filter((path) => existsSync(path));
  say('The program was removed. These stay until you remove them:');
  for (const path of left) say(`  ${path}`);
  return { left };
});
