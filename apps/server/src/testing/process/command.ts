import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAMS = fileURLToPath(new URL('../../commands/', import.meta.url));

/** Node's compile cache, which saves a third of every start. */
const COMPILED = fileURLToPath(
  new URL('../../../../../node_modules/.cache/linekeeper-compiled', import.meta.url),
);

const { PATH, GLIBC_TUNABLES } = process.env;
/** The environment of every program that the tests start; no other variable of this process reaches it. */
export const ENVIRONMENT = {
  PATH,
  NODE_COMPILE_CACHE: COMPILED,
  ...(GLIBC_TUNABLES && { GLIBC_TUNABLES }),
};

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs a program of the server, such as backup.ts, in `cwd` until it ends. `onSpawn` gets the
 * process immediately, and `input` is the program's standard input.
 */
export async function runProgram(
  program: string,
  args: string[],
  env: Record<string, string>,
  onSpawn: (child: ChildProcess) => void = () => {},
  cwd = process.cwd(),
  input: string | null = null,
): Promise<Outcome> {
  const child = spawn(process.execPath, [`${PROGRAMS}${program}`, ...args], {
    cwd,
    env: { ...ENVIRONMENT, ...env },
    stdio: [input === null ? 'ignore' : 'pipe', 'pipe', 'pipe', 'ipc'],
  });
  onSpawn(child);
  child.stdin?.end(input);
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  await once(child, 'close');
  return { code: child.exitCode, stdout, stderr };
}
