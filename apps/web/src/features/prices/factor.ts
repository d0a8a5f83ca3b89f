import { useTranslation } from 'react-i18next';
import { formatNumber } from '#platform/i18n/format-number.ts';

/** Writes a factor as "× 0.9". */
export function useFactorText(): (factor: number) => string {
  const { i18n } = useTranslation();
  return (factor) => `× ${formatNumber(factor, i18n.language)}`;
}
