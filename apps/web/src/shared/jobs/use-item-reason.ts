import type { JobItem } from '@linekeeper/contract/bulk.ts';
import { isKnownCode, useCodeText } from '../i18n/use-error-text.ts';
import { usePushMessage } from '../i18n/use-push-message.ts';

/** Why a line of a job was left out or failed, in the reader's language; '' where it did not. */
export function useItemReason(): (item: JobItem) => string {
  const codeText = useCodeText();
  const pushMessage = usePushMessage();
  return ({ error }) => {
    if (!error) return '';
    return isKnownCode(error.code) ? codeText(error.code, error.data) : pushMessage(error.message);
  };
}
