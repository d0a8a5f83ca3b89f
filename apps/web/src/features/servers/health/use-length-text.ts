import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../../shared/i18n/format-number.ts';

const MINUTE_MS = 60_000;

/** Whole minutes, at least one; hours from one on, days from two on. */
export function useLengthText() {
  const { t, i18n } = useTranslation('servers');
  const number = (value: number) => formatNumber(value, i18n.language);
  return (milliseconds: number) => {
    const minutes = Math.max(1, Math.round(milliseconds / MINUTE_MS));
    const hours = Math.floor(minutes / 60);
    if (hours >= 48) return t('health.days', { count: Math.floor(hours / 24) });
    if (hours === 0) return t('health.minutes', { minutes: number(minutes) });
    return t('health.hoursAndMinutes', { hours: number(hours), minutes: number(minutes % 60) });
  };
}
