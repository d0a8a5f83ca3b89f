import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';

const MOST_OUTPUT = 2000;
/** Environment variables for the operator's command. The panel's own settings contain passwords. */
const PASSED_ON = ['PATH', 'HOME', 'USER', 'LANG', 'TZ', 'XDG_CONFIG_HOME'];

/** Does something to a process that may have ended already. */
function attempt(act: () => unknown): void {
  try {
    act();
  } catch {
    // The process has ended already, so there is nothing to do.
  }
}

export interface CommandRun {
  args: readonly string[];
  env?: Record<string, string>;
  signal: AbortSignal;
}

/**
 * Runs a program without a shell, and returns the end of its output. Throws if it cannot be started, is not finished
 * when the signal comes, or ends with another exit code than 0. It ends with everything that it has started.
 */
export async function runProgram(
  program: string,
  { args, env, signal }: CommandRun,
): Promise<string> {
  const passed = Object.fromEntries(PASSED_ON.map((name) => [name, process.env[name]]));
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...passed, ...env },
    detached: true,
  });
  // If memory runs out, this program ends, and not the panel.
  if (child.pid) attempt(() => writeFileSync(`/proc/${child.pid}/oom_score_adj`, '1000'));
  let output = '';
  const keep = (chunk: Buffer) => {
    output = (output + chunk).slice(-MOST_OUTPUT);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const stop = () => attempt(() => child.pid && process.kill(-child.pid, 'SIGKILL'));
  signal.addEventListener('abort', stop);
  try {
    const [code, killedBy] = await once(child, 'exit');
    signal.throwIfAborted();
    const said = output.trim();
    if (code === 0) return said;
    throw new Error(
      `${program} ended with ${killedBy ?? `exit code ${code}`}${said && `: ${said}`}`,
    );
  } finally {
    signal.removeEventListener('abort', stop);
    child.stdout.destroy();
    child.stderr.destroy();
  }
}
