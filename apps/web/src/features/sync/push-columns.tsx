import type { Push } from '@linekeeper/contract/servers/sync.ts';
import { CircleAlert, Clock, RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { formatTime } from '../../shared/format/format-moment.ts';
import { useFindingText } from '../../shared/i18n/use-finding-text.ts';
import { column, type ListColumn } from '../../shared/list/columns.tsx';
import { Badge } from '../../shared/ui/badge.tsx';
import { IconButton } from '../../shared/ui/buttons/icon-button.tsx';
import { TypedText } from '../../shared/ui/typed-text.tsx';
import { useRetry } from './use-retry.ts';

/** Columns of the sync list; two of them are sortable. */
export const pushColumns: ListColumn<Push>[] = [
  column.name('username', ({ username }) => <TypedText>{username}</TypedText>, {
    sortBy: 'username',
  }),
  column.text('server', ({ server_name }) => <TypedText>{server_name}</TypedText>, {
    look: 'typed',
  }),
  column.text('change', ({ operation }) => <Operation operation={operation} />),
  column.badge('states', ({ state }) => <State state={state} />),
  column.count('attempts', ({ attempts }) => attempts),
  column.text('nextTry', (push) => <Next push={push} />, { sortBy: 'next_try_at' }),
  column.words('message', (push) => push.finding && <Message push={push} />),
];

function Operation({ operation }: Pick<Push, 'operation'>) {
  return useTranslation('sync').t(`operation.${operation}`);
}

function State({ state }: Pick<Push, 'state'>) {
  const { t } = useTranslation('sync');
  const Icon = state === 'failed' ? CircleAlert : Clock;
  return (
    <Badge tone={state === 'failed' ? 'warning' : 'neutral'} icon={<Icon />}>
      {t(`state.${state}`)}
    </Badge>
  );
}

/** Recomputed on every render, since the list is refetched every few seconds. */
function Next({ push }: { push: Push }) {
  const { t } = useTranslation('sync');
  const seconds = Math.ceil((Date.parse(push.next_try_at) - Date.now()) / 1000);
  return <>{seconds > 0 ? t('inSeconds', { count: seconds }) : t('now')}</>;
}

/** Time and reason of the last refusal; a retry updates both. */
function Message({ push: { finding, updated_at } }: { push: Push }) {
  const { t, i18n } = useTranslation('sync');
  const findingText = useFindingText();
  if (!finding) return null;
  return (
    <>
      <p>{t('stillRefused', { time: formatTime(Date.parse(updated_at), i18n.language) })}</p>
      <p>{findingText(finding)}</p>
    </>
  );
}

export function RetryOne({ row: push }: { row: Push }) {
  const { t } = useTranslation('sync');
  const { retryOne, isPending } = useRetry();
  const { username, server_name: server } = push;
  return (
    // Without words, because in German the columns would not fit a window of 1280 px.
    <IconButton
      size="small"
      label={t('retryOf', { username, server })}
      disabled={isPending}
      onClick={() => retryOne(push)}
    >
      <RefreshCw size={18} aria-hidden="true" />
    </IconButton>
  );
}
