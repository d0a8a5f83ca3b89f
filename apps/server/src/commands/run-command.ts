import { misspeltWarnings, refuseAmbiguousSettings } from '@linekeeper/settings-file';
import { settingNames } from '../platform/config/config.ts';
import { errorMessage } from '../platform/errors/error-message.ts';

/** Whoever reads the output may have seen enough, as `| head -1` has: the command goes on. */
function endQuietly(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

/** Runs a command; prints an error as one sentence and sets the exit code. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  endQuietly(process.stdout);
  endQuietly(process.stderr);
  try {
    refuseAmbiguousSettings();
    for (const warning of misspeltWarnings(settingNames)) process.stderr.write(`${warning}\n`);
    await command();
  } catch (error) {
    process.stderr.write(`${errorMessage(error)}\n`);
    process.exitCode = 1;
  }
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
