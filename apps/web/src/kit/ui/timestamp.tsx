import { useTranslation } from 'react-i18next';
import { formatAgo } from '#platform/format/format-ago.ts';
import { formatDate, formatMoment, formatMomentInUtc } from '#platform/format/format-moment.ts';

/** A time in the user's time zone, or its day alone, with UTC in the tooltip. */
export function Timestamp({ value, isDay = false }: { value: string; isDay?: boolean }) {
  const { i18n } = useTranslation();
  return (
    <time dateTime={value} title={formatMomentInUtc(value, i18n.language)}>
      {(isDay ? formatDate : formatMoment)(value, i18n.language)}
    </time>
  );
}

/** The time since a moment, such as "5 min ago", with the moment itself in a tooltip. */
export function TimeAgo({ value }: { value: string }) {
  const { i18n } = useTranslation();
  return (
    <time dateTime={value} title={formatMoment(value, i18n.language)}>
      {formatAgo(value, i18n.language)}
    </time>
  );
}
