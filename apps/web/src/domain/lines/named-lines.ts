import { lookUpLines, MAX_LOOKED_UP } from '@linekeeper/contract/lines/lines.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { NamedInText } from '#kit/markdown/markdown-text.tsx';
import { wordsOf } from '#kit/markdown/words.ts';
import { callQuery } from '#platform/api/call-query.ts';
import { useCan } from '#platform/data/session.ts';
import { LineLink } from './line-link.tsx';

const SHORTEST = 3;

/**
 * Words that may be usernames, each once, starting with those with digits or punctuation; at most
 * `MAX_LOOKED_UP`, the limit of a call.
 */
function candidatesIn(texts: readonly string[]): string[] {
  const words = texts.flatMap(wordsOf).filter((word) => /[\p{L}\p{N}]/u.test(word));
  return [...new Set(words.filter(({ length }) => length >= SHORTEST))]
    .sort((one, other) => Number(/[\d._-]/.test(other)) - Number(/[\d._-]/.test(one)))
    .slice(0, MAX_LOOKED_UP);
}

/**
 * The lines whose usernames occur in texts that people wrote, such as tickets, for `Markdown` to link to their pages.
 * Undefined while they are looked up, if there are none, or if the account may not see lines.
 */
export function useNamedLines(texts: readonly string[]): NamedInText | undefined {
  const seesLines = useCan(['view_users']);
  const usernames = candidatesIn(texts);
  const { data } = useQuery({
    ...callQuery('lines', lookUpLines, { body: { usernames } }),
    enabled: seesLines && usernames.length > 0,
    placeholderData: (before) => before,
  });
  return useMemo(() => {
    if (!data || data.items.length === 0) return undefined;
    return { ids: new Map(data.items.map(({ id, username }) => [username, id])), Link: LineLink };
  }, [data]);
}
