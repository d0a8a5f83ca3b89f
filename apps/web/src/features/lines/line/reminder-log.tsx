import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { lineReminders } from '@linekeeper/contract/lines/reminders.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { callQuery } from '#platform/api/call-query.ts';
import { formatMoment } from '#platform/format/format-moment.ts';

const SHOWN = 5;

/** The last reminders to the customer of a line, and why an email was not sent. */
export function ReminderLog({ line }: { line: Line }) {
  const { t, i18n } = useTranslation('line');
  const { data } = useQuery(callQuery('lines', lineReminders, { params: { id: line.id } }));
  if (!data || (data.items.length === 0 && !data.is_stopped)) return null;
  return (
    <div className="grid grid-cols-1 gap-1 type-caption text-text-2">
      <h3 className="type-caption font-semibold">{t('reminders.title')}</h3>
      {data.is_stopped && <p>{t('reminders.stopped')}</p>}
      {data.items.slice(0, SHOWN).map(({ way, sent_at, day, reason }) => (
        <p key={`${way} ${sent_at}`} className={reason ? 'text-error-fg' : undefined}>
          {formatMoment(sent_at, i18n.language)}:{' '}
          {day === null ? t('reminders.byHand') : t('reminders.byMail', { count: day })}
          {reason && `. ${t(`reminders.${reason}`)}`}
        </p>
      ))}
    </div>
  );
}
