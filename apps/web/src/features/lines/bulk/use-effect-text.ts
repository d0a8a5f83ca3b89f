import { useTranslation } from 'react-i18next';
import type { PreviewedAction } from './term.ts';

/** The effect in words, with the number of lines and the price as far as they are known. */
export function useEffectText() {
  const { t } = useTranslation('bulk');
  const { t: common } = useTranslation();
  return (action: PreviewedAction | 'import', count: number | null, cost = 0): string => {
    if (count === null) return t(`action.${action}`);
    const lines = t('lines', { count });
    if (cost <= 0 || action === 'edit' || action === 'move' || action === 'delete') {
      return t(`effect.${action}`, { lines });
    }
    const credits = common('credits.amount', { count: cost });
    return t(action === 'import' ? 'effect.importFor' : 'effect.renewFor', { lines, credits });
  };
}
