import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { useTranslation } from 'react-i18next';
import { isNotLoaded, notLoadedSince } from '#domain/servers/trouble.ts';
import { formatMoment, formatTime } from '#platform/format/format-moment.ts';

/** Formats a moment: today only its time, otherwise its date and time. */
export function useShortMoment(): (moment: string) => string {
  const { i18n } = useTranslation();
  return (moment) => {
    const at = new Date(moment);
    const isToday = at.toDateString() === new Date().toDateString();
    return isToday ? formatTime(at.getTime(), i18n.language) : formatMoment(moment, i18n.language);
  };
}

interface TakesText {
  text: string;
  tone: 'success' | 'warning' | 'neutral';
}

/**
 * Returns how the card server loads the agent's changes, or since when it has not. OSCam's web
 * interface loads them immediately.
 */
export function useReloadText() {
  const { t } = useTranslation('servers');
  const shortMoment = useShortMoment();
  return (server: Server): TakesText => {
    const { reload, last_connection, kind } = server;
    if (kind === 'oscam_webif' && last_connection)
      return { text: t('card.atOnce'), tone: 'success' };
    if (!reload) {
      return { text: t(last_connection ? 'card.notSaid' : 'card.notTested'), tone: 'neutral' };
    }
    const since = notLoadedSince(reload);
    if (isNotLoaded(server) && since) {
      return { text: t('card.notSince', { time: shortMoment(since) }), tone: 'warning' };
    }
    if (!reload.by) return { text: t('card.byNobody'), tone: 'warning' };
    const way = t(reload.by === 'webif' ? 'card.byWebif' : 'card.byCommand');
    return {
      text: reload.ok_at ? `${way}, ${shortMoment(reload.ok_at)}` : way,
      tone: isNotLoaded(server) ? 'warning' : 'success',
    };
  };
}
