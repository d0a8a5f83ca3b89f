import { type Day, daysBetween, formatDay } from '@linekeeper/contract/dates.ts';
import type { StatusColor } from '@linekeeper/contract/fields/line-fields.ts';
import { useTranslation } from 'react-i18next';
import { Badge } from '#kit/ui/badge.tsx';
import type { DrawnIcon } from '#kit/ui/icons/drawn-icon.ts';
import { useToday } from '#platform/data/settings.ts';
import { relativeFormat } from '#platform/format/format-ago.ts';
import styles from './cells.module.css';

type ExpiryTone = Exclude<StatusColor, 'success'> | 'quiet';

/** Urgency of a line that is valid for `days` more days; a line that ends today has 0. */
export function expiryTone(days: number): ExpiryTone {
  if (days <= 0) return 'error';
  if (days <= 7) return 'warning';
  return days <= 30 ? 'info' : 'quiet';
}

const DAYS_A_YEAR = 365.25;
const DAYS_A_MONTH = DAYS_A_YEAR / 12;
/** A term is read in months; what lasts longer than any is a day without an end in mind. */
const YEARS_FROM_DAYS = 5 * DAYS_A_YEAR;

/** Relative date in the given language: 'today', 'in 3 days', '9 days ago', 'in 6 months', 'in 73 years'. */
export function expiryWords(days: number, language: string): string {
  // 'in 2 days' is shorter than the named day, which is 'depois de amanhã' in Portuguese.
  const named = Math.abs(days) <= 1;
  const format = relativeFormat(language, named ? 'auto' : 'always');
  const distance = Math.abs(days);
  if (distance > YEARS_FROM_DAYS) return format.format(Math.round(days / DAYS_A_YEAR), 'year');
  if (distance > 30) return format.format(Math.round(days / DAYS_A_MONTH), 'month');
  return format.format(days, 'day');
}

function expiryIcon(days: number): DrawnIcon {
  if (days < 0) return 'calendar-x-2';
  if (days <= 7) return 'clock-alert';
  return days <= 30 ? 'calendar-clock' : 'calendar';
}

export function ExpiryBadge({ day }: { day: Day }) {
  const { i18n } = useTranslation();
  const days = daysBetween(useToday(), day);
  const tone = expiryTone(days);
  return (
    <span className={`row ${styles.expiry}`}>
      <time dateTime={day}>{formatDay(day)}</time>
      <Badge
        tone={tone === 'quiet' ? 'neutral' : tone}
        quiet={tone === 'quiet'}
        drawnIcon={expiryIcon(days)}
      >
        {expiryWords(days, i18n.language)}
      </Badge>
    </span>
  );
}
