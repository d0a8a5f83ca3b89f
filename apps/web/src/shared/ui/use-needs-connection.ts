import { useTranslation } from 'react-i18next';
import { useConnection } from '../browser/connection.ts';

/**
 * The reason why an action that needs the panel is unavailable, or undefined. Only if a request failed and the
 * browser is offline, too: after a single failed request the panel may answer the next one.
 */
export function useNeedsConnection(): string | undefined {
  const { t } = useTranslation();
  return useConnection() === 'offline' ? t('offline.needed') : undefined;
}
