import { sayError } from './core/say-error.ts';

/** Runs a command to its end; what stands in the way is said in one sentence. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    process.stderr.write(`${sayError(error)}\n`);
    process.exitCode = 1;
  }
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
