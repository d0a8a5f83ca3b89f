import { checkSettingsFiles } from '@linekeeper/settings-file';
import { commandNamed, readArguments } from '../../../../scripts/commands.mjs';
import { settingNames } from '../platform/config/config.ts';
import { errorMessage } from '../platform/errors/error-message.ts';

export interface Given {
  values: Record<string, string | boolean | undefined>;
  positionals: string[];
}

/** The object that --json prints, with the fields that the table of commands declares. */
type Result = Record<string, unknown>;

/** An error that ends the command with a certain exit code. */
export class CommandFailure extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

let printsJson = false;

/**
 * Runs a command of the table (scripts/commands.mjs) with its arguments. Prints its result if --json is given; an error
 * is printed as one sentence and sets the exit code.
 */
export async function runCommand(
  name: string,
  work: (given: Given) => Promise<Result | undefined>,
  { checksSettings = true } = {},
): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // The reader of the output may have ended, as `| head -1` does, or the terminal. The command continues.
      if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
    });
  }
  try {
    const command = commandNamed(name);
    if (!command) throw new Error(`The table of commands has no ${name}`);
    printsJson = process.argv.includes('--json');
    const given = readArguments(command, process.argv.slice(2));
    const warnings = checksSettings ? checkSettingsFiles(settingNames) : [];
    for (const warning of warnings) process.stderr.write(`${warning}\n`);
    const result = await work(given);
    const [found, declared] = [result, command.json].map((of) => Object.keys(of ?? {}).sort());
    if (`${found}` !== `${declared}`) throw new Error(`${name} has other results: ${found}`);
    if (printsJson) printJson(result);
  } catch (error) {
    process.stderr.write(`${errorMessage(error)}\n`);
    if (printsJson) printJson({ error: errorMessage(error) });
    process.exitCode = error instanceof CommandFailure ? error.exitCode : 1;
  }
}

function printJson(result: Result | undefined): void {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

/** Prints a line for a person; nothing with --json. */
export function say(line: string): void {
  if (!printsJson) process.stdout.write(`${line}\n`);
}
