import { type Day, daysBetween, showDay } from '@linekeeper/contract/dates.ts';
import { Calendar, CalendarClock, CalendarX2, ClockAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useToday } from '../../shared/settings.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import styles from './cells.module.css';
import { expiryTone, expiryWords } from './expiry.ts';

function ExpiryIcon({ days }: { days: number }) {
  if (days < 0) return <CalendarX2 />;
  if (days <= 7) return <ClockAlert />;
  return days <= 30 ? <CalendarClock /> : <Calendar />;
}

/** The last valid day and how far it is: words, icon and colour say the same. */
export function ExpiryBadge({ day }: { day: Day }) {
  const { i18n } = useTranslation();
  const days = daysBetween(useToday(), day);
  const tone = expiryTone(days);
  return (
    <span className={styles.expiry}>
      <time dateTime={day}>{showDay(day)}</time>
      <Badge
        tone={tone === 'quiet' ? 'neutral' : tone}
        quiet={tone === 'quiet'}
        icon={<ExpiryIcon days={days} />}
      >
        {expiryWords(days, i18n.language)}
      </Badge>
    </span>
  );
}
