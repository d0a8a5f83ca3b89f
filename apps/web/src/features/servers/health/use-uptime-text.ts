import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../../shared/format/format-number.ts';

/** A share of checks in percent, rounded down: 100 % means that none failed. */
export function useUptimeText() {
  const { t, i18n } = useTranslation('servers');
  return (uptime: number | null) => {
    if (uptime === null) return t('health.unknown');
    // 0.57 * 1000 is a little less than 570.
    const percent = Math.floor(uptime * 1000 + 1e-9) / 10;
    return t('health.percent', { percent: formatNumber(percent, i18n.language, 1) });
  };
}
