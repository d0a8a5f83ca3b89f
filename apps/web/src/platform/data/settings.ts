import { publicSettings } from '@linekeeper/contract/auth/auth.ts';
import { type Day, today } from '@linekeeper/contract/dates.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { callQuery } from '#platform/api/call-query.ts';
import { createStore } from '#platform/state/create-store.ts';

export const publicSettingsQuery = () =>
  callQuery('settings', publicSettings, {
    // The settings include `today`, which changes at midnight in the panel's time zone.
    staleTime: 5 * 60_000,
    refetchInterval: 10 * 60_000,
  });

const panelDay = createStore<Day | undefined>(undefined);
let browserDay: Day | undefined;

function dayOfBrowser(): Day {
  // The day is cached, because every row of a list needs it and looking up the time zone is slow.
  browserDay ??= today(Intl.DateTimeFormat().resolvedOptions().timeZone);
  return browserDay;
}

/** Keeps the panel's calendar day up to date. Use it once, in the shell. */
export function useFollowToday(): void {
  const { data } = useQuery(publicSettingsQuery());
  const day = data?.today;
  useEffect(() => {
    if (day) panelDay.set(day);
  }, [day]);
}

/** Today in the panel's time zone; in the browser's until the settings are loaded. */
export function useToday(): Day {
  return panelDay.use() ?? dayOfBrowser();
}
