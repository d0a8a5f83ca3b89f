import { useTranslation } from 'react-i18next';
import { formatDate, formatMoment, formatMomentInUtc } from '../format/format-moment.ts';

/** A time in the user's time zone, or its day alone, with UTC in the tooltip. */
export function Timestamp({ value, isDay = false }: { value: string; isDay?: boolean }) {
  const { i18n } = useTranslation();
  return (
    <time dateTime={value} title={formatMomentInUtc(value, i18n.language)}>
      {(isDay ? formatDate : formatMoment)(value, i18n.language)}
    </time>
  );
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Minutes and hours of the last day in words of the language, before that the day. */
function agoText(value: string, language: string): string {
  const passed = Date.now() - Date.parse(value);
  if (passed >= DAY_MS || passed < -MINUTE_MS) return formatDate(value, language);
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  if (passed < MINUTE_MS) return words.format(0, 'second');
  if (passed < HOUR_MS) return words.format(-Math.floor(passed / MINUTE_MS), 'minute');
  return words.format(-Math.floor(passed / HOUR_MS), 'hour');
}

/** How long ago something was, with the moment in the tooltip. */
export function TimeAgo({ value }: { value: string }) {
  const { i18n } = useTranslation();
  return (
    <time dateTime={value} title={formatMoment(value, i18n.language)}>
      {agoText(value, i18n.language)}
    </time>
  );
}
