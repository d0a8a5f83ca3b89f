import { useTranslation } from 'react-i18next';
import { formatUptime } from '../../../shared/server-health/format-uptime.ts';

export function useUptimeText() {
  const { t, i18n } = useTranslation('servers');
  return (uptime: number | null) =>
    uptime === null ? t('health.unknown') : formatUptime(uptime, i18n.language);
}
