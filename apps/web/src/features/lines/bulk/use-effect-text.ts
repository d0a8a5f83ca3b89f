import { useTranslation } from 'react-i18next';
import type { PreviewedAction } from './bulk-change.ts';

/** A function that describes the effect of a job, with the number of lines and the price if they are known. */
export function useEffectText() {
  const { t } = useTranslation('bulk');
  return (action: PreviewedAction | 'import', count: number | null, cost = 0): string => {
    if (count === null) return t(`action.${action}`);
    const lines = t('lines', { count });
    if (cost <= 0 || (action !== 'renew' && action !== 'import')) {
      return t(`effect.${action}`, { lines });
    }
    const credits = t('credits.amount', { count: cost });
    return t(action === 'import' ? 'effect.importFor' : 'effect.renewFor', { lines, credits });
  };
}
