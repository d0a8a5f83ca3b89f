import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/client.ts';

/** Explains why code or texts failed to load: no connection, or files removed by an update. */
export function useFetchFailedText(): (problem: unknown) => string {
  const { t } = useTranslation();
  return (problem) => t(problem instanceof ApiError ? 'offline.needed' : 'offline.reload');
}
