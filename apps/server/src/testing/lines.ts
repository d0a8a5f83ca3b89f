import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The body of a sale of one month; `more` overrides. */
export function newLine(username: string, more: Record<string, unknown> = {}) {
  return { username, password: `pw-${username}`, subscription_months: 1, ...more };
}

/** What an agent has written for its card server. */
export async function readServerFiles(agent: { dir: string }) {
  const [cccam, oscam] = await Promise.all(
    ['CCcam.cfg', 'oscam.user'].map((name) => readFile(join(agent.dir, name), 'utf8')),
  );
  return { cccam: cccam ?? '', oscam: oscam ?? '' };
}
