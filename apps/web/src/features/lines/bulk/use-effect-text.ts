import { useTranslation } from 'react-i18next';
import type { PreviewedAction } from './bulk-change.ts';

/** A function that describes the effect of a job, with the number of lines and the price if they are known. */
export function useEffectText() {
  const { t } = useTranslation('bulk');
  return (action: PreviewedAction | 'import', count: number | null, cost = 0): string => {
    if (count === null) return t(`action.${action}`);
    const lines = t('lines', { count });
    const isPaid = action === 'renew' || action === 'change_plan' || action === 'import';
    if (cost <= 0 || !isPaid) return t(`effect.${action}`, { lines });
    return t(`effect.${action}For`, { lines, credits: t('credits.amount', { count: cost }) });
  };
}
