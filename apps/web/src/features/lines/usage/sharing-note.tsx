import { Network } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { formatMoment } from '#platform/format/format-moment.ts';
import type { UsageProps } from './usage-props.ts';

/**
 * A sign of sharing of a line: the number of networks from which it was online at the same time,
 * and its suspension if it was suspended. The text has facts without an accusation.
 */
export function SharingNote({ usage: { sharing } }: UsageProps) {
  const { t, i18n } = useTranslation('line');
  if (!sharing) return null;
  const { networks, times, allowed, first_at, suspended_until } = sharing;
  const moment = (of: string) => formatMoment(of, i18n.language);
  return (
    <div className="flex items-center gap-4 py-3 px-4 rounded-pop bg-neutral-bg [&_svg]:flex-none [&_svg]:text-warning-fg [&_p]:text-neutral-fg">
      <Network size={20} aria-hidden="true" />
      <div className="flex-1 min-w-0 wrap-anywhere">
        <strong className="type-strong">
          {t('usage.networksAtOnce', { count: networks })}
          {', '}
          {t('usage.timesThisWeek', { count: times })}
        </strong>
        <p className="text-text-2 type-caption min-w-0 wrap-anywhere">
          {t('usage.allowed', { count: allowed })} {t('usage.firstNoted', { at: moment(first_at) })}
          {suspended_until && ` ${t('usage.suspendedUntil', { time: moment(suspended_until) })}`}
        </p>
      </div>
    </div>
  );
}
