import type { Push } from '@linekeeper/contract/sync.ts';
import { CircleAlert, Clock, RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../shared/i18n/use-error-text.ts';
import { usePushMessage } from '../../shared/i18n/use-push-message.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { toast } from '../../shared/ui/toast.ts';
import { useRetryPushes } from './queries.ts';
import styles from './sync.module.css';

const columns = [
  'username',
  'server',
  'change',
  'states',
  'attempts',
  'nextTry',
  'message',
] as const;

/** A table; on narrow screens each row is a block of its own. */
export function PushTable({ pushes }: { pushes: readonly Push[] }) {
  const { t } = useTranslation('sync');
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col" data-column={column}>
              {t(column)}
            </th>
          ))}
          <td />
        </tr>
      </thead>
      <tbody>
        {pushes.map((push) => (
          <Row key={push.id} push={push} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ push }: { push: Push }) {
  const { t } = useTranslation('sync');
  const pushMessage = usePushMessage();
  const { username, server_name, operation, state, attempts, message } = push;
  return (
    <tr>
      <th scope="row">{username}</th>
      <td data-label={t('server')}>{server_name}</td>
      <td data-label={t('change')}>{t(`operation.${operation}`)}</td>
      <td data-label={t('states')}>
        <Badge
          tone={state === 'failed' ? 'warning' : 'neutral'}
          icon={state === 'failed' ? <CircleAlert /> : <Clock />}
        >
          {t(`state.${state}`)}
        </Badge>
      </td>
      <td data-label={t('attempts')} data-column="attempts">
        {attempts}
      </td>
      <td data-label={t('nextTry')}>
        <NextTry at={push.next_try_at} />
      </td>
      <td data-column="message">{message !== null && pushMessage(message)}</td>
      <td data-column="retry">
        <RetryOne push={push} />
      </td>
    </tr>
  );
}

/** Said anew with every look at the list. */
function NextTry({ at }: { at: string }) {
  const { t } = useTranslation('sync');
  const seconds = Math.ceil((Date.parse(at) - Date.now()) / 1000);
  return <>{seconds > 0 ? t('inSeconds', { count: seconds }) : t('now')}</>;
}

function RetryOne({ push }: { push: Push }) {
  const { t } = useTranslation('sync');
  const errorText = useErrorText();
  const retry = useRetryPushes();
  return (
    <Button
      size="small"
      icon={<RefreshCw aria-hidden="true" />}
      pending={retry.isPending}
      aria-label={t('retryOf', { username: push.username, server: push.server_name })}
      onClick={() => retry.mutate(push, { onError: (error) => toast.error(errorText(error)) })}
    >
      {t('retry')}
    </Button>
  );
}
