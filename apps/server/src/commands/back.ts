// `linekeeper back`: goes back to the version from before the last update. In a clone it prints the steps.
import { runCommand } from './run-command.ts';
import { thisInstallation } from './update/installation.ts';
import { back } from './update/switch-version.ts';

const inClone = [
  'Stop the panel with Ctrl-C. Then, with the version that you return to:',
  '  npm run backup',
  '  git checkout v<version>',
  '  npm start',
];

await runCommand('back', ({ values }) =>
  back(thisInstallation('back', inClone), values.restore === true),
);
