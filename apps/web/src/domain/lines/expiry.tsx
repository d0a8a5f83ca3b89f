import { type Day, daysBetween, formatDay } from '@linekeeper/contract/dates.ts';
import { useTranslation } from 'react-i18next';
import { Badge } from '#kit/ui/badge.tsx';
import { useToday } from '#platform/data/settings.ts';
import { relativeFormat } from '#platform/format/format-ago.ts';

type ExpiryTone = 'error' | 'warning' | 'quiet';

/** Urgency of a line that is valid for `days` more days; 0 for a line that expires today. */
export function expiryTone(days: number): ExpiryTone {
  if (days <= 0) return 'error';
  return days <= 7 ? 'warning' : 'quiet';
}

const DAYS_A_YEAR = 365.25;
const DAYS_A_MONTH = DAYS_A_YEAR / 12;
/** Days from which a distance is given in years; shorter ones are given in months, like terms. */
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

export function ExpiryBadge({ day }: { day: Day }) {
  return (
    <span className="flex items-center [flex-wrap:var(--cell-wrap,nowrap)] gap-y-0 gap-x-2 [&>[data-quiet]]:ps-[var(--cell-indent,8px)] [&_time]:min-w-21 [&_time]:whitespace-nowrap">
      <time dateTime={day}>{formatDay(day)}</time>
      <DaysLeft day={day} />
    </span>
  );
}

/** The days until a line expires or since it expired, as a chip if that is urgent. */
export function DaysLeft({ day }: { day: Day }) {
  const { i18n } = useTranslation();
  const days = daysBetween(useToday(), day);
  const tone = expiryTone(days);
  return (
    <Badge tone={tone === 'quiet' ? 'neutral' : tone} quiet={tone === 'quiet'}>
      {expiryWords(days, i18n.language)}
    </Badge>
  );
}
