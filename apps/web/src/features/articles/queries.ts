import { getArticle, listArticles } from '@linekeeper/contract/articles.ts';
import type { CallInput } from '@linekeeper/contract/endpoint.ts';
import { keepPreviousData } from '@tanstack/react-query';
import { callQuery } from '#platform/api/call-query.ts';

type Query = NonNullable<CallInput<typeof listArticles>['query']>;

/**
 * The query of the articles. The keys of all queries about articles begin with 'articles', by which
 * events make them stale.
 */
export const articlesQuery = (query: Query) =>
  callQuery('articles', listArticles, {
    query: { limit: '100', ...query },
    placeholderData: keepPreviousData,
  });

export const articleQuery = (id: string) => callQuery('articles', getArticle, { params: { id } });
