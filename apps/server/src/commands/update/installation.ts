import { join } from 'node:path';
import { isRelease } from '../../../../../scripts/commands.mjs';
import { readConfig } from '../../platform/config/config.ts';
import { panelUrl } from '../panel-facts.ts';
import { CommandFailure, say } from '../run-command.ts';
import type { Installation } from './switch-version.ts';

const PACKAGE_FOLDER = '/usr/lib/linekeeper';
const NOT_THE_PACKAGE = 4;
/** Milliseconds for a version to come up. The update of a large schema takes minutes. */
const PATIENCE_MS = 10 * 60 * 1000;

/** The installed panel of this program. Throws without a package, printing the steps in a clone, or if root is needed. */
export function thisInstallation(command: string, stepsOfClone: readonly string[]): Installation {
  const root = join(import.meta.dirname, '../../../../..');
  if (root !== PACKAGE_FOLDER) {
    if (!isRelease) for (const step of stepsOfClone) say(step);
    throw new CommandFailure(
      `Nothing was done: this panel was not installed by its package. See docs/how-to/${command === 'uninstall' ? 'uninstall' : 'upgrade'}.md`,
      NOT_THE_PACKAGE,
    );
  }
  if (process.geteuid?.() !== 0)
    throw new Error(`Only root may do this: sudo linekeeper ${command}`);
  const config = readConfig(process.env);
  return {
    root,
    cache: '/var/cache/linekeeper',
    backups: config.backup_dir ?? '/var/backups/linekeeper',
    url: panelUrl(config),
    patience: PATIENCE_MS,
  };
}
