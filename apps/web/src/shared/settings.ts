import { publicSettings } from '@linekeeper/contract/auth.ts';
import { type Day, today } from '@linekeeper/contract/dates.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from './api/client.ts';

export function publicSettingsQuery() {
  return queryOptions({
    queryKey: ['settings', 'public'],
    queryFn: ({ signal }) => call(publicSettings, {}, { signal }),
    // `today` changes at midnight of the panel's time zone.
    staleTime: 5 * 60_000,
    refetchInterval: 10 * 60_000,
  });
}

/** The panel's calendar day; the browser's until the settings are there. */
export function useToday(): Day {
  const { data } = useQuery(publicSettingsQuery());
  return data?.today ?? today(Intl.DateTimeFormat().resolvedOptions().timeZone);
}
