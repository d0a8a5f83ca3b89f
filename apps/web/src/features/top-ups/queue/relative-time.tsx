import type { TopUp } from '@linekeeper/contract/credits/top-ups.ts';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatMoment, formatMomentInUtc } from '../../../shared/format/format-moment.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** '12 minutes ago'; null for less than a minute, and for longer than a month. */
function agoText(passed: number, language: string): string | null {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'always' });
  if (passed < MINUTE || passed > 30 * DAY) return null;
  if (passed < HOUR) return format.format(-Math.floor(passed / MINUTE), 'minute');
  if (passed < DAY) return format.format(-Math.floor(passed / HOUR), 'hour');
  return format.format(-Math.floor(passed / DAY), 'day');
}

function useMinute(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** When it was ordered or decided, counted from now. */
export function TimeSince({ topUp: { status, created_at, decided_at } }: { topUp: TopUp }) {
  const { t, i18n } = useTranslation('topUps');
  const now = useMinute();
  const value = decided_at ?? created_at;
  // The newest are newer than the minute that is shown.
  const passed = Math.max(0, now - Date.parse(value));
  const time = agoText(passed, i18n.language) ?? formatMoment(value, i18n.language);
  return (
    <time dateTime={value} title={formatMomentInUtc(value, i18n.language)}>
      {passed < MINUTE ? t(`queue.justNow.${status}`) : t(`queue.at.${status}`, { time })}
    </time>
  );
}
