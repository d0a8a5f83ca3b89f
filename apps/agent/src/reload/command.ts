import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { attempted } from '../log.ts';
import { ReloadFailure } from './failure.ts';

const SECOND_MS = 1000;
const MAX_OUTPUT_CHARACTERS = 300;
/** Environment variables for a command. It needs no more, and the agent's own settings contain passwords. */
const PASSED_ON = ['PATH', 'HOME', 'USER', 'LANG', 'TZ', 'XDG_RUNTIME_DIR'];
PASSED_ON.push('DBUS_SESSION_BUS_ADDRESS', 'DOCKER_HOST', 'DOCKER_CONFIG', 'DOCKER_CONTEXT');

/** Ends the command with everything that it started, which is its process group. */
function stop(child: ChildProcess | undefined): void {
  const { pid } = child ?? {};
  if (pid) attempted(() => process.kill(-pid, 'SIGKILL'));
}

/** A reader that runs a command to make the card server read its files, without a shell. */
export function openCommand(
  [program = '', ...args]: readonly string[],
  { deadlineMs, warn }: { deadlineMs: number; warn(message: string): void },
) {
  let running: ChildProcess | undefined;

  /** Starts the command; resolves when it has ended, or was stopped because it was late. Throws errors of the start. */
  async function launch() {
    const child = spawn(program, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: Object.fromEntries(PASSED_ON.map((name) => [name, process.env[name]])),
      detached: true,
    });
    running = child;
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => {
      output = (output + chunk).slice(0, MAX_OUTPUT_CHARACTERS);
    });
    let isLate = false;
    const late = setTimeout(() => {
      isLate = true;
      stop(child);
    }, deadlineMs);
    const [exit_code, signal] = await once(child, 'exit').finally(() => clearTimeout(late));
    running = undefined;
    child.stderr.destroy();
    if (exit_code !== 0 && output) warn(`Output of RELOAD_COMMAND: ${output.trim()}`);
    return { isLate, exit_code, signal };
  }

  return {
    by: 'command' as const,

    /**
     * Runs the command. Throws `COMMAND_NOT_FOUND`, `COMMAND_TIMEOUT` or `COMMAND_FAILED` unless it ends in time with
     * exit code 0.
     */
    async read(): Promise<undefined> {
      const { isLate, ...ending } = await launch().catch(() => {
        throw new ReloadFailure('COMMAND_NOT_FOUND');
      });
      if (isLate) throw new ReloadFailure('COMMAND_TIMEOUT', { seconds: deadlineMs / SECOND_MS });
      if (ending.exit_code !== 0) throw new ReloadFailure('COMMAND_FAILED', ending);
    },

    close: (): void => stop(running),
  };
}
