import type { QueryClient, QueryPersister } from '@tanstack/react-query';
import { ApiError } from '../api/client.ts';
import { isBuildKept, ownBuild } from '../browser/kept-build.ts';
import { knownAccount, rememberedAccount } from '../data/session.ts';
import type { KeptReply } from './kept-lists.ts';

/** Replies of the same query in between are not worth a write. */
const PAUSE_MS = 1500;

const waiting = new Map<string, Omit<KeptReply, 'size'>>();

async function write(): Promise<void> {
  // Somebody else may have signed in, or nobody be signed in any more.
  const accountId = rememberedAccount()?.id;
  const replies = [...waiting.values()].filter((reply) => reply.accountId === accountId);
  waiting.clear();
  if (replies.length === 0) return;
  const { keepReplies } = await import('./kept-lists.ts');
  await keepReplies(replies);
}

function keepLater(reply: Omit<KeptReply, 'size'>): void {
  // Storage may be blocked or full; lists are then shown only while there is a connection.
  if (waiting.size === 0) setTimeout(() => void write().catch(() => undefined), PAUSE_MS);
  waiting.set(reply.hash, reply);
}

function isUnreachable(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'NETWORK';
}

/**
 * Keeps the replies of queries marked `isKept` in this browser, and shows them again where a page is
 * opened without a connection: lists, and what they need to be shown. Never mark passwords that were
 * revealed, API keys, links to reset a password or to pay, codes that give credits, the audit log or
 * what strangers wrote. Call it before the first of them is asked for.
 */
export function keepLists(queryClient: QueryClient): void {
  if (!('serviceWorker' in navigator)) return;
  const build = ownBuild();
  const accountOf = () => knownAccount(queryClient)?.id;
  const persister: QueryPersister = async (fetch, context, query) => {
    const { queryHash: hash, meta, state } = query;
    const accountId = accountOf();
    if (!build || !accountId || !meta?.isKept) return fetch(context);
    try {
      const data = await fetch(context);
      keepLater({ hash, accountId, build, at: Date.now(), data });
      return data;
    } catch (error) {
      if (!isUnreachable(error) || state.data !== undefined || !isBuildKept()) throw error;
      const { readReply } = await import('./kept-lists.ts');
      const kept = await readReply(hash, { accountId, build }).catch(() => undefined);
      if (!kept) throw error;
      // After the reply was taken for one of now.
      setTimeout(() => query.setState({ dataUpdatedAt: kept.at, isInvalidated: true }));
      return kept.data;
    }
  };
  const { queries, ...others } = queryClient.getDefaultOptions();
  queryClient.setDefaultOptions({ ...others, queries: { ...queries, persister } });
}
