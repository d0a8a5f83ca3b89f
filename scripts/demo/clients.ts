import { type Oscam, startOscam } from '../../packages/oscam/src/testing/oscam.ts';

const MINUTE_MS = 60_000;
/** Of so many lines of a server one is off. */
const ONE_OFF_IN = 3;
/** Networks of the documentation, one for each home. */
const homeOf = (index: number) => `198.51.${100 + index}.${20 + index}`;
const SECOND_HOME = '203.0.113.44';

/**
 * Stands in for a card server behind its agent: customers of most of its lines are on, and those of one from two homes
 * at once, so that the panel notes after some minutes that the line is shared.
 */
export async function openCardServer(file: string, protocol: string): Promise<Oscam> {
  const oscam = await startOscam({ file });
  const names = oscam.names().filter((_, index) => index % ONE_OFF_IN !== ONE_OFF_IN - 1);
  const connect = (user: string, ip: string, minutes: number) =>
    oscam.clients.push({
      ...{ user, ip, protocol },
      login: new Date(Date.now() - minutes * MINUTE_MS).toISOString().replace(/\.\d+Z$/, '+0000'),
      stats: { cwok: String(400 + minutes), cwnok: '3', cwtime: '120' },
    });
  for (const [index, name] of names.entries()) connect(name, homeOf(index), 7 + 11 * index);
  const [shared] = names;
  if (shared) connect(shared, SECOND_HOME, 25);
  return oscam;
}
