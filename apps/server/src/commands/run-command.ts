import { checkSettingsFiles } from '@linekeeper/settings-file';
import { settingNames } from '../platform/config/config.ts';
import { errorMessage } from '../platform/errors/error-message.ts';

/** Runs a command; prints an error as one sentence and sets the exit code. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // The reader of the output may have ended, as `| head -1` does. The command continues.
      if (error.code !== 'EPIPE') throw error;
    });
  }
  try {
    for (const warning of checkSettingsFiles(settingNames)) process.stderr.write(`${warning}\n`);
    await command();
  } catch (error) {
    process.stderr.write(`${errorMessage(error)}\n`);
    process.exitCode = 1;
  }
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
