import type { CallInput, Endpoint, Reply } from '@linekeeper/contract/endpoint.ts';
import { type QueryKey, queryOptions, type UnusedSkipTokenOptions } from '@tanstack/react-query';
import { call } from './client.ts';
import type { QueryName } from './query-names.ts';

interface Options<Answer, Data>
  extends Omit<
    UnusedSkipTokenOptions<Answer, Error, Data, QueryKey>,
    'queryKey' | 'queryFn' | 'meta'
  > {
  /** True if the reply is kept in this browser, to be shown without a connection. */
  isKept?: true;
}

/** A query of one call. `name` says which changes make its reply stale; call and input are its key. */
export function callQuery<E extends Endpoint, Data = Reply<E>>(
  name: QueryName,
  endpoint: E,
  given?: CallInput<E> & Options<Reply<E>, Data>,
) {
  const { params, query, body, isKept, ...options } = (given ?? {}) as Options<Reply<E>, Data> &
    Partial<Record<'params' | 'query' | 'body', unknown>>;
  const input = { params, query, body } as CallInput<E>;
  return queryOptions<Reply<E>, Error, Data, QueryKey>({
    ...options,
    ...(isKept && { meta: { isKept } }),
    queryKey: [name, endpoint.name, input],
    queryFn: ({ signal }) => call(endpoint, input, { signal }),
  });
}
