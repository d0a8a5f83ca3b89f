import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useTranslation } from 'react-i18next';
import { formatMoment } from '#platform/format/format-moment.ts';

/** 'Trial', '12 months', or '' if the line was sold until a date. */
export function useTermText(): (line: Line) => string {
  const { t } = useTranslation('lines');
  return ({ is_trial, subscription_months: count }) => {
    if (is_trial) return t('line.status.trial');
    return count === null ? '' : t('credits.months', { count });
  };
}

/**
 * Returns the time and the actor of a suspension, or the end of an automatic one. Accounts above
 * the reader are not named.
 */
export function useSuspensionText(): (suspension: NonNullable<Line['suspension']>) => string {
  const { t, i18n } = useTranslation();
  return ({ at, by, can_resume, until, cause }) => {
    if (cause && until) {
      return t('line.suspension.shared', { until: formatMoment(until, i18n.language) });
    }
    const time = formatMoment(at, i18n.language);
    if (by) return t('line.suspension.by', { by, time });
    return t(can_resume ? 'line.suspension.at' : 'line.suspension.fromAbove', { time });
  };
}
