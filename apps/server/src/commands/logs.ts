// `npm run logs`, `linekeeper logs`: the last messages of the panel that systemd runs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { readable } from './logs/readable.ts';
import { runCommand, say } from './run-command.ts';

const MOST_LINES = 100_000;

function journal(lines: number, errors: boolean, follows: boolean): string[] {
  const filter = errors ? ['-g', '"level":(50|60)'] : [];
  const units = ['-u', 'linekeeper', '-u', 'linekeeper@*'];
  return ['-q', '-o', 'cat', '-n', `${lines}`, ...units, ...filter, ...(follows ? ['-f'] : [])];
}

await runCommand('logs', async ({ values }) => {
  const lines = Number(values.lines ?? 50);
  if (!(Number.isInteger(lines) && lines > 0 && lines <= MOST_LINES)) {
    throw new Error(`--lines must be a whole number from 1 to ${MOST_LINES}`);
  }
  if (values.follow && values.json) throw new Error('--follow and --json cannot be used together');
  const args = journal(lines, values.errors === true, values.follow === true);
  const child = spawn('journalctl', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close').catch((cause: unknown) => {
    throw new Error(
      'This machine has no journalctl. The log is in the terminal that started the panel, or in `docker compose logs`',
      { cause },
    );
  });
  const found: string[] = [];
  const reading = (async () => {
    for await (const line of createInterface({ input: child.stdout })) {
      if (values.json) found.push(line);
      else say(readable(line));
    }
  })();
  const [[code]] = await Promise.all([ended, reading]);
  if (code !== 0 && code !== 1 && code !== null) throw new Error(`journalctl ended with ${code}`);
  return { lines: found };
});
