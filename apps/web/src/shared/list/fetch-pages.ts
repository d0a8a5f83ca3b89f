import type { Endpoint } from '@linekeeper/contract/endpoint.ts';
import type { ListDeclaration, queryOf } from '@linekeeper/contract/lists/list.ts';
import type * as z from 'zod';
import { listQuery } from '../../screens/address.ts';
import { call } from '../api/client.ts';
import type { ListDefinition, ListRow, Page } from './use-list.ts';

/** Makes the function that fetches a page; the list's search parameters are the call's query. */
export function fetchPages<const List extends ListDeclaration, Row extends ListRow>(
  list: List,
  endpoint: Endpoint & {
    query: ReturnType<typeof queryOf<List>>;
    output: z.ZodType<Page<Row>>;
  },
): ListDefinition<Row>['fetchPage'] {
  return (search, { signal, limit }) => {
    const query = { ...listQuery(list, search), ...(limit ? { limit } : {}) };
    return call<Endpoint>(endpoint, { query }, { signal }) as Promise<Page<Row>>;
  };
}
