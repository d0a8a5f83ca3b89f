import { Network } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Caption, Row, Strong, Text } from '#kit/ui/vocabulary.tsx';
import { formatMoment } from '#platform/format/format-moment.ts';
import styles from './usage.module.css';
import type { UsageProps } from './usage-props.ts';

/** More networks at once than the line may have: facts, and what follows from them, never a verdict. */
export function SharingNote({ usage: { sharing } }: UsageProps) {
  const { t, i18n } = useTranslation('line');
  if (!sharing) return null;
  const { networks, times, allowed, first_at, suspended_until } = sharing;
  const moment = (of: string) => formatMoment(of, i18n.language);
  return (
    <Row as="div" gap={16} className={styles.note}>
      <Network size={20} aria-hidden="true" />
      <Text as="div" grow wraps>
        <Strong as="strong">
          {t('usage.networksAtOnce', { count: networks })}
          {', '}
          {t('usage.timesThisWeek', { count: times })}
        </Strong>
        <Caption as="p" wraps>
          {t('usage.allowed', { count: allowed })} {t('usage.firstNoted', { at: moment(first_at) })}
          {suspended_until && ` ${t('usage.suspendedUntil', { time: moment(suspended_until) })}`}
        </Caption>
      </Text>
    </Row>
  );
}
