import { useTranslation } from 'react-i18next';
import { isReason } from '../../shared/i18n/reasons.ts';
import { adviceOn, readServerMessage } from './server-message.ts';

/** What a test found and what to do about it, in the reader's language. */
export function useServerMessage() {
  const { t } = useTranslation('servers');
  const { t: tCommon } = useTranslation();
  return (message: string | null, apiPort: number) => {
    const read = message === null ? null : readServerMessage(message);
    const detail = read && isReason(read.detail) ? tCommon(`reason.${read.detail}`) : read?.detail;
    return {
      problem: read ? t(`problem.${read.sentence}`, { detail }) : (message ?? t('problem.unknown')),
      advice: t(`advice.${adviceOn(message ?? '')}`, { port: apiPort }),
    };
  };
}
