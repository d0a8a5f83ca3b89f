import type { CallInput, Endpoint, Reply } from '@linekeeper/contract/endpoint.ts';
import { type QueryKey, queryOptions, type UnusedSkipTokenOptions } from '@tanstack/react-query';
import { call } from './client.ts';
import type { QueryName } from './query-names.ts';

type Options<Answer, Data> = Omit<
  UnusedSkipTokenOptions<Answer, Error, Data, QueryKey>,
  'queryKey' | 'queryFn' | 'meta'
>;

/** A query of one call. `name` decides which changes make its reply stale; call and input are its key. */
export function callQuery<E extends Endpoint, Data = Reply<E>>(
  name: QueryName,
  endpoint: E,
  given?: CallInput<E> & Options<Reply<E>, Data>,
) {
  const { params, query, body, ...options } = (given ?? {}) as Options<Reply<E>, Data> &
    Partial<Record<'params' | 'query' | 'body', unknown>>;
  const input = { params, query, body } as CallInput<E>;
  return queryOptions<Reply<E>, Error, Data, QueryKey>({
    ...options,
    queryKey: [name, endpoint.name, input],
    queryFn: ({ signal }) => call(endpoint, input, { signal }),
  });
}
