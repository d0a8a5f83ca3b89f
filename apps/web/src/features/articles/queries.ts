import {
  createArticle,
  deleteArticle,
  editArticle,
  getArticle,
  listArticles,
  rateArticle,
} from '@linekeeper/contract/articles.ts';
import type { Body, CallInput } from '@linekeeper/contract/endpoint.ts';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../shared/api/client.ts';
import type { WithIdempotencyKey } from '../../shared/forms/use-send.ts';

type Query = NonNullable<CallInput<typeof listArticles>['query']>;

/** Every key begins with 'articles': that is what a live change of one makes stale. */
export function articlesQuery(query: Query) {
  return queryOptions({
    queryKey: ['articles', 'list', query],
    queryFn: ({ signal }) => call(listArticles, { query: { limit: '100', ...query } }, { signal }),
    placeholderData: keepPreviousData,
  });
}

export function articleQuery(id: string) {
  return queryOptions({
    queryKey: ['articles', 'one', id],
    queryFn: ({ signal }) => call(getArticle, { params: { id } }, { signal }),
  });
}

function useRefreshArticles() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ['articles'] });
}

export function useCreateArticle() {
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: WithIdempotencyKey<Body<typeof createArticle>>) =>
      call(createArticle, { body }, { idempotencyKey }),
    onSettled: useRefreshArticles(),
  });
}

export function useEditArticle(id: string) {
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: WithIdempotencyKey<Body<typeof editArticle>>) =>
      call(editArticle, { params: { id }, body }, { idempotencyKey }),
    onSettled: useRefreshArticles(),
  });
}

export function useDeleteArticle(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ idempotencyKey }: WithIdempotencyKey<object>) =>
      call(deleteArticle, { params: { id } }, { idempotencyKey }),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['articles', 'list'] }),
  });
}

export function useRateArticle(id: string) {
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: WithIdempotencyKey<Body<typeof rateArticle>>) =>
      call(rateArticle, { params: { id }, body }, { idempotencyKey }),
    onSettled: useRefreshArticles(),
  });
}
