import { lookUpLines, MAX_LOOKED_UP } from '@linekeeper/contract/lines/lines.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { NamedInText } from '#kit/markdown/markdown-text.tsx';
import { wordsOf } from '#kit/markdown/words.ts';
import { callQuery } from '#platform/api/call-query.ts';
import { useCan } from '#platform/data/session.ts';
import { LineLink } from './line-link.tsx';

const SHORTEST = 3;

/** Words that may be the name of a line, each once, as many as one call takes. */
function candidatesIn(texts: readonly string[]): string[] {
  const words = texts.flatMap(wordsOf).filter((word) => /[\p{L}\p{N}]/u.test(word));
  return [...new Set(words.filter(({ length }) => length >= SHORTEST))]
    .sort((one, other) => Number(/[\d._-]/.test(other)) - Number(/[\d._-]/.test(one)))
    .slice(0, MAX_LOOKED_UP);
}

/** Turns the names of lines in texts that people write into links, for accounts that may see the lines. */
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
