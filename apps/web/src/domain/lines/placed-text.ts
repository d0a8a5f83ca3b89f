import { formatDay } from '@linekeeper/contract/dates.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useHasPlans, usePlanName } from '#domain/prices/plans.ts';
import { serverChoicesQuery, useJoined } from '#domain/servers/server-choices.ts';
import { placedBy } from './placed.ts';

/**
 * The text 'Sport until 21-02-2027. Works on Frankfurt 1. Pending on Warsaw 2.'; undefined if
 * neither plan nor server distinguishes lines.
 */
export function usePlacedText({ plan_id, expiry_date, servers }: Line): string | undefined {
  const { t } = useTranslation('lines');
  const planName = usePlanName()(plan_id);
  const hasPlans = useHasPlans();
  const { data: choices = [] } = useQuery(serverChoicesQuery());
  const joined = useJoined();
  if (!hasPlans && servers.length < 2) return undefined;
  const names = (ids: readonly string[]) =>
    joined(ids.flatMap((id) => choices.find((server) => server.id === id) ?? []));
  const { taken, waits, refused } = placedBy(servers);
  const [on, to, by] = [names(taken), names(waits), names(refused)];
  const until = t('placed.until', { plan: planName, day: formatDay(expiry_date) });
  const sentences = [
    on && t('placed.on', { on, count: taken.length }),
    to && t('placed.to', { to, count: waits.length }),
    by && t('placed.refused', { by, count: refused.length }),
  ];
  return [until, ...sentences].filter(Boolean).join(' ');
}
