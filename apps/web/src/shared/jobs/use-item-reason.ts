import type { JobItem } from '@linekeeper/contract/bulk.ts';
import { isKnownCode, useCodeText } from '../i18n/use-error-text.ts';
import { usePushMessage } from '../i18n/use-push-message.ts';

/** Why a line of a job was left out, failed or is not on its server, in the reader's language, or ''. */
export function useItemReason(): (item: JobItem) => string {
  const codeText = useCodeText();
  const pushMessage = usePushMessage();
  return ({ error, sync_state, sync_message }) => {
    if (!error) return sync_state === 'failed' ? pushMessage(sync_message) : '';
    return isKnownCode(error.code) ? codeText(error.code, error.data) : pushMessage(error.message);
  };
}
