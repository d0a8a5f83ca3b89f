import type { HealthPart, ServerHealth } from '@linekeeper/contract/servers/health.ts';
import { useTranslation } from 'react-i18next';
import { formatUptime } from '#domain/servers/health/format-uptime.ts';
import { formatDate, formatTime } from '#platform/format/format-moment.ts';
import { formatNumber } from '#platform/i18n/format-number.ts';

const HALF_A_DAY_MS = 12 * 3600_000;

/** Returns functions that name a part of a server's health, such as an hour or a day, and its state. */
export function usePartTexts({ range }: Pick<ServerHealth, 'range'>) {
  const { t, i18n } = useTranslation('servers');
  const { language } = i18n;
  const number = (value: number) => formatNumber(value, language);
  const nameOf = ({ from }: HealthPart) =>
    // A day in the panel's time zone is named by its noon, which is on the same day nearly everywhere.
    range === '30d'
      ? formatDate(new Date(Date.parse(from) + HALF_A_DAY_MS).toISOString(), language)
      : formatTime(Date.parse(from), language);
  /** The axis shows short names, because there are many: a day without its year. */
  const axisOf = (part: HealthPart) => (range === '30d' ? nameOf(part).slice(0, -5) : nameOf(part));
  const latencyOf = ({ latency_ms }: HealthPart) =>
    latency_ms === null ? '–' : `${number(latency_ms)} ${t('card.milliseconds')}`;
  return {
    nameOf,
    axisOf,
    latencyOf,
    number,
    stateOf: ({ state }: HealthPart) => t(`health.state.${state}`),
  };
}

const MINUTE_MS = 60_000;

/** Returns a duration in whole minutes, at least one; from one hour on in hours, from two days on in days. */
export function useLengthText() {
  const { t, i18n } = useTranslation('servers');
  const number = (value: number) => formatNumber(value, i18n.language);
  return (milliseconds: number) => {
    const minutes = Math.max(1, Math.round(milliseconds / MINUTE_MS));
    const hours = Math.floor(minutes / 60);
    if (hours >= 48) return t('health.days', { count: Math.floor(hours / 24) });
    if (hours === 0) return t('health.minutes', { minutes: number(minutes) });
    return t('health.hoursAndMinutes', { hours: number(hours), minutes: number(minutes % 60) });
  };
}

export function useUptimeText() {
  const { t, i18n } = useTranslation('servers');
  return (uptime: number | null) =>
    uptime === null ? t('recurring.unknown') : formatUptime(uptime, i18n.language);
}
