import {
  bytesOf,
  cutToBytes,
  lineUsername,
  MAX_CCCAM_NAME_BYTES,
} from '@linekeeper/contract/fields/line-credentials.ts';
import type * as contract from '@linekeeper/contract/lines/line-changes.ts';
import { consumeGuesses, readGuessWait } from '../../../domain/accounts/guesses.ts';
import { lineScope } from '../../../domain/context/access.ts';
import { checkNames } from '../../../domain/lines/sent-names.ts';
import type { Action } from '../../../domain/use-cases/use-case.ts';
import { failTooManyAttempts } from '../../../platform/errors/refusal.ts';
import { takenNamesLimit } from '../../../platform/rate-limit.ts';
import { findLine, findTakenNames } from '../list/store.ts';

const MOST_NUMBER = 999;

/** Where nothing of a name can be kept. */
const PLAIN_NAME = 'line';

function cut(username: string, ending: string): string {
  return cutToBytes(username, MAX_CCCAM_NAME_BYTES - bytesOf(ending)) + ending;
}

/**
 * First what clients send of the name already, so that nothing changes where they send no more of it;
 * then with a number.
 */
function candidatesFor(username: string): string[] {
  const endings = Array.from({ length: MOST_NUMBER - 1 }, (_, index) => `-${index + 2}`);
  const bases = [username.normalize('NFC'), PLAIN_NAME];
  return bases
    .flatMap((base) => ['', ...endings].map((ending) => cut(base, ending)))
    .filter((name) => lineUsername.safeParse(name).data === name);
}

/** A free name for a line whose own is longer than a CCcam client sends. */
export const proposeLineName: Action<typeof contract.proposeLineName> = async (ctx, { params }) => {
  const { db, actor } = ctx;
  const { id, username, server_id } = await findLine(db, lineScope(actor), params.id);
  const candidates = candidatesFor(username);
  const wait = actor.is_admin ? 0 : await readGuessWait(db, takenNamesLimit, actor.id);
  if (wait > 0) failTooManyAttempts(wait);
  const taken = await findTakenNames(db, candidates);
  const refused = await checkNames(db, { server_id, names: candidates, line_id: id, actor });
  const free = candidates.find((name) => !taken.has(name) && !refused.has(name));
  // Another line has what its own name would be cut to.
  const [first] = candidates;
  const tellsOfAnother = free !== first && first !== username.normalize('NFC');
  if (tellsOfAnother && !actor.is_admin) await consumeGuesses(db, takenNamesLimit, actor.id);
  return { username: free ?? username };
};
