import type { JobItem } from '@linekeeper/contract/lines/bulk.ts';
import { isolate } from '../i18n/isolate.ts';
import { isKnownCode, useCodeText } from '../i18n/use-error-text.ts';
import { useFindingText } from '../i18n/use-finding-text.ts';

/** Translates why a line was skipped, failed or is not on its server; '' if there is no reason. */
export function useItemReason(): (item: JobItem) => string {
  const codeText = useCodeText();
  const findingText = useFindingText();
  return ({ error, sync_state, sync_finding }) => {
    if (!error) return sync_state === 'failed' ? findingText(sync_finding) : '';
    return isKnownCode(error.code) ? codeText(error.code, error.data) : isolate(error.message);
  };
}
