import { getSettings } from '@linekeeper/contract/settings.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../shared/api/client.ts';

/** Settings of the whole panel, for administrators. */
export function settingsQuery() {
  return queryOptions({
    queryKey: ['settings', 'panel'],
    queryFn: ({ signal }) => call(getSettings, {}, { signal }),
  });
}
