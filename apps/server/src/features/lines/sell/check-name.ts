import type { NameProblem } from '@linekeeper/contract/fields/line-credentials.ts';
import { isSentWhole } from '@linekeeper/contract/fields/line-credentials.ts';
import type * as contract from '@linekeeper/contract/lines/line-changes.ts';
import { consumeGuesses, releaseGuess } from '../../../domain/accounts/guesses.ts';
import { lineScope } from '../../../domain/context/access.ts';
import type { Ctx } from '../../../domain/context/context.ts';
import {
  findHeldNames,
  findNamesByHand,
  findSharedNames,
} from '../../../domain/lines/sent-names.ts';
import { findServerOfSale } from '../../../domain/machines/servers.ts';
import type { Action } from '../../../domain/use-cases/use-case.ts';
import { failTooManyAttempts } from '../../../platform/errors/refusal.ts';
import { takenNamesLimit } from '../../../platform/rate-limit.ts';
import { findLine, isNameTaken } from '../list/store.ts';

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

/** What keeps the name from its server. */
async function problemOf(
  { db }: Ctx,
  { username, line_id }: Asked,
  server: Awaited<ReturnType<typeof findServer>>,
): Promise<NameProblem | null> {
  if (!server) return null;
  if (!isSentWhole(username, server.protocol)) return 'NAME_TOO_LONG_FOR_CCCAM';
  const shared = await findSharedNames(db, server.id, [username], { line_id });
  return shared.has(username) ? 'NAME_SHARES_FIRST_20' : null;
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
  const names = server && !actor.is_admin ? [body.username] : [];
  const byHand = server ? await findNamesByHand(db, server.id, names) : new Set();
  const held = server ? await findHeldNames(db, server.id, [body.username], body.line_id) : byHand;
  const isTaken = byHand.size + held.size > 0 || (await isNameTaken(db, body.username));
  const problem = await problemOf(ctx, body, server);
  const tellsOfOthers = isTaken || problem === 'NAME_SHARES_FIRST_20';
  if (!tellsOfOthers) await releaseGuess(db, takenNamesLimit, actor.id);
  return { is_free: !isTaken, problem };
};
