import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What both benches write: first how fast the server is, then how fast each screen opens. */
export const RESULTS = join(import.meta.dirname, 'results.md');

const SCREENS = '## How fast each screen opens in a browser\n';

async function readParts(file: string): Promise<{ server: string; screens: string }> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const [server = '', screens = ''] = text.split(SCREENS);
  return { server, screens };
}

async function writeParts(file: string, server: string, screens: string): Promise<void> {
  const parts = [server.trim(), screens && SCREENS + screens.trimEnd()];
  await writeFile(file, `${parts.filter(Boolean).join('\n\n')}\n`);
}

/** Replaces the figures of the server. */
export async function writeServerResults(file: string, server: string): Promise<void> {
  await writeParts(file, server, (await readParts(file)).screens);
}

/** Replaces the figures of the screens; `screens` goes without its heading. */
export async function writeScreenResults(screens: string): Promise<void> {
  await writeParts(RESULTS, (await readParts(RESULTS)).server, screens);
}

/** The rows of the screens' table in its order, by their first three cells. */
export async function readScreenRows(): Promise<Map<string, string>> {
  const { screens } = await readParts(RESULTS);
  const rows = screens.match(/^\| `.*$/gm) ?? [];
  return new Map(rows.map((row) => [/^(?:\|[^|]*){3}\|/.exec(row)?.[0] ?? row, row]));
}
