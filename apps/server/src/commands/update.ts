// `linekeeper update`: installs the newest version, and goes back on its own if it does not start. In a clone it prints
// the steps.
import { readConfig } from '../platform/config/config.ts';
import { runCommand } from './run-command.ts';
import { readRelease, readReleaseKey } from './update/feed.ts';
import { thisInstallation } from './update/installation.ts';
import { update } from './update/switch-version.ts';

const inClone = [
  'This is for a panel that runs with npm start. Stop it with Ctrl-C. Then:',
  '  git rev-parse HEAD > ../linekeeper.before',
  '  npm run backup',
  '  git pull',
  '  npm start',
];

await runCommand('update', async ({ values }) => {
  const at = thisInstallation('update', inClone);
  const feed = values.from ?? readConfig(process.env).update_feed?.href;
  if (typeof feed !== 'string' || feed === '') {
    throw new Error('Give the folder or address of a release with --from, or set UPDATE_FEED');
  }
  return update(at, await readRelease(feed, await readReleaseKey(at.root)));
});
