import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useTranslation } from 'react-i18next';

/** 'Trial', '12 months', or '' if the line was sold until a date. */
export function useTermText(): (line: Line) => string {
  const { t } = useTranslation('lines');
  return ({ is_trial, subscription_months: count }) => {
    if (is_trial) return t('status.trial');
    return count === null ? '' : t('credits.months', { count });
  };
}
