import type * as contract from '@linekeeper/contract/lines/line-changes.ts';
import { consumeGuesses, releaseGuess } from '../../../domain/accounts/guesses.ts';
import { lineScope } from '../../../domain/context/access.ts';
import type { Ctx } from '../../../domain/context/context.ts';
import { checkNames } from '../../../domain/lines/sent-names.ts';
import { findServerOfSale } from '../../../domain/machines/servers.ts';
import type { Action } from '../../../domain/use-cases/use-case.ts';
import { failTooManyAttempts } from '../../../platform/errors/refusal.ts';
import { takenNamesLimit } from '../../../platform/rate-limit.ts';
import { findLine, findTakenNames } from '../list/store.ts';

interface Asked {
  username: string;
  server_id?: string | undefined;
  line_id?: string | undefined;
}

/** The server that the line has or would get. Throws if the line or the named server does not exist. */
async function findServer({ db, actor }: Ctx, { server_id, line_id }: Asked) {
  const line = line_id === undefined ? undefined : await findLine(db, lineScope(actor), line_id);
  return findServerOfSale(db, server_id ?? line?.server_id);
}

/**
 * A sale also reveals if a name is taken, but costs credits if it is not. This check is free, so
 * checks of taken names are limited like wrong passwords, to prevent reading out other accounts'
 * names.
 */
export const checkLineName: Action<typeof contract.checkLineName> = async (ctx, { body }) => {
  const { actor, db } = ctx;
  const server = await findServer(ctx, body);
  // Counted before the lookup, because being refused must not reveal if the name is taken.
  const wait = await consumeGuesses(db, takenNamesLimit, actor.id);
  if (wait > 0) failTooManyAttempts(wait);
  const { username, line_id } = body;
  const asked = server && { server_id: server.id, names: [username], line_id, actor };
  const refusal = asked && (await checkNames(db, asked)).get(username);
  const taken = await findTakenNames(db, [username]);
  const isTaken = refusal === 'USERNAME_EXISTS' || taken.size > 0;
  const problem = refusal && refusal !== 'USERNAME_EXISTS' ? refusal : null;
  const tellsOfOthers = isTaken || problem === 'NAME_SHARES_FIRST_20';
  if (!tellsOfOthers) await releaseGuess(db, takenNamesLimit, actor.id);
  return { is_free: !isTaken, problem };
};
