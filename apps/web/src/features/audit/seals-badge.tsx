import { checkSeals, getSealState, type SealState } from '@linekeeper/contract/audit.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { LockKeyhole, LockKeyholeOpen } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { useCommand } from '../../shared/commands/use-command.ts';
import { formatDate, formatMoment, formatTime } from '../../shared/format/format-moment.ts';
import { Badge, type BadgeTone } from '../../shared/ui/badge.tsx';
import styles from './audit.module.css';

const queryKey = ['audit', 'seals'] as const;

/** The time alone, if it is of today. */
function shortMoment(moment: string, language: string): string {
  const isToday = formatDate(moment, language) === formatDate(new Date().toISOString(), language);
  return isToday ? formatTime(Date.parse(moment), language) : formatMoment(moment, language);
}

function useSealText({ faults, checked_at }: SealState): { tone: BadgeTone; text: string } {
  const { t, i18n } = useTranslation('audit');
  if (checked_at === null) return { tone: 'neutral', text: t('seals.never') };
  if (faults > 0) return { tone: 'error', text: t('seals.broken', { count: faults }) };
  return {
    tone: 'success',
    text: t('seals.hold', { time: shortMoment(checked_at, i18n.language) }),
  };
}

/**
 * The result of the daily check of the seals. A check reads the whole log, so it is repeated only on
 * request.
 */
export function SealsBadge() {
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(getSealState, {}, { signal }),
  });
  return data ? <KnownSeals state={data} /> : null;
}

function KnownSeals({ state }: { state: SealState }) {
  const { t } = useTranslation('audit');
  const client = useQueryClient();
  const { tone, text } = useSealText(state);
  const { send, isPending } = useCommand(checkSeals, {
    isRepeatable: true,
    done: (found) => client.setQueryData(queryKey, found),
  });
  const Icon = tone === 'error' ? LockKeyholeOpen : LockKeyhole;
  return (
    <button
      type="button"
      className={styles.seals}
      title={t('seals.check')}
      aria-busy={isPending}
      onClick={() => void send()}
    >
      <Badge tone={isPending ? 'info' : tone} icon={<Icon />}>
        <span aria-live="polite">{isPending ? t('seals.checking') : text}</span>
      </Badge>
    </button>
  );
}
