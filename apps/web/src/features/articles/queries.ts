import { getArticle, listArticles } from '@linekeeper/contract/articles.ts';
import type { CallInput } from '@linekeeper/contract/endpoint.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../shared/api/client.ts';

type Query = NonNullable<CallInput<typeof listArticles>['query']>;

/** Every key begins with 'articles': that is what a live change of one makes stale. */
export function articlesQuery(query: Query) {
  return queryOptions({
    queryKey: ['articles', 'list', query],
    meta: { isKept: true },
    queryFn: ({ signal }) => call(listArticles, { query: { limit: '100', ...query } }, { signal }),
    placeholderData: keepPreviousData,
  });
}

export function articleQuery(id: string) {
  return queryOptions({
    queryKey: ['articles', 'one', id],
    meta: { isKept: true },
    queryFn: ({ signal }) => call(getArticle, { params: { id } }, { signal }),
  });
}
