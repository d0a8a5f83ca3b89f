// `linekeeper back`: goes back to the version from before the last update. In a clone it prints the steps.
import { runCommand } from './run-command.ts';
import { thisInstallation } from './update/installation.ts';
import { back } from './update/switch-version.ts';

const inClone = [
  'This is for a panel that runs with npm start. Stop it with Ctrl-C. Then:',
  '  npm run backup',
  '  git checkout "$(cat ../linekeeper.before)"',
  '  npm start',
];

await runCommand('back', ({ values }) =>
  back(thisInstallation('back', inClone), values.restore === true),
);
