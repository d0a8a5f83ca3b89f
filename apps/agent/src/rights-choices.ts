import { readFile as readBytes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SERVER_FILE, SERVICES_FILE } from '@linekeeper/oscam/pages.ts';
import { type RightsChoices, readFile, readRightsChoices } from '@linekeeper/oscam/user-file.ts';
import { resolveTarget } from './files/atomic-write.ts';
import { openAsk } from './reload/webif.ts';
import type { WebifSettings } from './settings.ts';

async function readBeside(dir: string): Promise<RightsChoices> {
  // The agent's `oscam.user` may be a link into OSCam's folder, where the other files are.
  const folder = dirname(resolveTarget(join(dir, 'oscam.user')));
  const read = (name: string) => readBytes(join(folder, name), 'latin1');
  return readRightsChoices(
    await read('oscam.server'),
    await read('oscam.services').catch(() => ''),
  );
}

async function readByWebif(settings: WebifSettings, deadlineMs: number): Promise<RightsChoices> {
  const { ask, close } = openAsk(settings, deadlineMs);
  try {
    const readers = readFile(await ask({ path: SERVER_FILE }));
    const services = readFile(await ask({ path: SERVICES_FILE }));
    return readRightsChoices(readers ?? '', services ?? '');
  } finally {
    close();
  }
}

/**
 * Groups and services that a plan can name, from OSCam's web interface or from its files beside `oscam.user`; null if
 * neither can be read.
 */
export async function findRightsChoices(
  dir: string,
  webif: WebifSettings | undefined,
  deadlineMs: number,
): Promise<RightsChoices | null> {
  const asked = webif && (await readByWebif(webif, deadlineMs).catch(() => undefined));
  return asked ?? (await readBeside(dir).catch(() => null));
}
