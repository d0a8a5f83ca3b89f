import { useTranslation } from 'react-i18next';
import { readPushMessage } from './push-message.ts';
import { isReason } from './reasons.ts';

/** Why a card server did not take a change, in the reader's language. */
export function usePushMessage(): (message: string | null) => string {
  const { t } = useTranslation();
  return (message) => {
    const read = message === null ? null : readPushMessage(message);
    if (!read) return message ?? t('push.refused.add');
    if (read.kind === 'refused') return t(`push.refused.${read.operation}`);
    const reason = isReason(read.reason) ? t(`reason.${read.reason}`) : read.reason;
    return t(`push.saved.${read.operation}`, { reason });
  };
}
