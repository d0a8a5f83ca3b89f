import type { Push } from '@linekeeper/contract/servers/sync.ts';
import { CircleAlert, Clock, RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { formatTime } from '../../shared/format/format-moment.ts';
import { useFindingText } from '../../shared/i18n/use-finding-text.ts';
import type { Column } from '../../shared/list/table/column.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { IconButton } from '../../shared/ui/buttons/icon-button.tsx';
import { TypedText } from '../../shared/ui/typed-text.tsx';
import { useRetry } from './use-retry.ts';

/** Columns of the sync list; two of them are sortable. */
export function usePushColumns(): Column<Push>[] {
  const { t } = useTranslation('sync');
  return [
    {
      id: 'username',
      kind: 'name',
      title: t('columns.username'),
      sortBy: 'username',
      cell: ({ username }) => <TypedText>{username}</TypedText>,
    },
    {
      id: 'server',
      title: t('columns.server'),
      look: 'typed',
      cell: ({ server_name }) => <TypedText>{server_name}</TypedText>,
    },
    {
      id: 'change',
      title: t('columns.change'),
      cell: ({ operation }) => t(`operation.${operation}`),
    },
    { id: 'states', title: t('columns.states'), cell: ({ state }) => <State state={state} /> },
    {
      id: 'attempts',
      title: t('columns.attempts'),
      align: 'end',
      cell: ({ attempts }) => attempts,
    },
    {
      id: 'nextTry',
      title: t('columns.nextTry'),
      sortBy: 'next_try_at',
      cell: (push) => <Next push={push} />,
    },
    {
      id: 'message',
      title: t('columns.message'),
      look: 'words',
      cell: (push) => <Message push={push} />,
    },
    {
      id: 'retry',
      kind: 'actions',
      title: t('list.actions'),
      cell: (push) => <RetryOne push={push} />,
    },
  ];
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

function RetryOne({ push }: { push: Push }) {
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
