import { formatDay } from '@linekeeper/contract/dates.ts';
import { useTranslation } from 'react-i18next';
import { formatShare } from '#platform/i18n/format-share.ts';
import type { ShownDay } from './usage-days.ts';

const HOUR = 60;

/** Durations, shares and days of a line's usage in words. */
export function useUsageTexts() {
  const { t, i18n } = useTranslation('line');
  const share = (of: number) => formatShare(of, i18n.language);
  const duration = (minutes: number) =>
    minutes < HOUR
      ? t('usage.minutes', { minutes })
      : t('usage.hours', { hours: Math.floor(minutes / HOUR), minutes: minutes % HOUR });
  /** The day and month of a day, without the year. */
  const shortDay = ({ day }: ShownDay) => formatDay(day).slice(0, 5);
  const dayText = (of: ShownDay) => {
    const day = shortDay(of);
    if (of.isUnknown && of.minutes_online === 0) return t('usage.unknownDay', { day });
    return t('usage.day', { day, online: duration(of.minutes_online), refused: share(of.refused) });
  };
  return { share, duration, shortDay, dayText };
}
