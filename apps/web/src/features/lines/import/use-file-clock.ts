import type { FileClock } from '@linekeeper/contract/files/csv-line.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { publicSettingsQuery, useToday } from '../../../shared/data/settings.ts';

/** The panel's clock, by which moments in a file are days; the browser's until it is known. */
export function useFileClock(): FileClock {
  const { data } = useQuery(publicSettingsQuery());
  const timeZone = data?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const today = useToday();
  return useMemo(() => ({ timeZone, today }), [timeZone, today]);
}
