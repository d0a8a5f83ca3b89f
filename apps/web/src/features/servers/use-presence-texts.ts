import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { useTranslation } from 'react-i18next';
import { formatSince } from '#platform/format/format-moment.ts';

/** The program that runs there and when it started, as whoever was asked last said. */
export function cardServerOf({ presence, reload }: Server) {
  return {
    program: presence?.card_server ?? reload?.card_server ?? null,
    started_at: presence?.started_at ?? reload?.started_at ?? null,
  };
}

/** Why the number of lines that are on is not shown; undefined where it is. */
export function useNotKnownText() {
  const { t, i18n } = useTranslation('servers');
  return ({ kind, presence, line_count, last_connection }: Server): string | undefined => {
    if (line_count === 0) return t('card.noLinesYet');
    if (presence?.is_known) return undefined;
    if (presence?.at) {
      return t('card.notKnownSince', { time: formatSince(Date.parse(presence.at), i18n.language) });
    }
    if (!last_connection) return t('card.notTested');
    // OSCam's web interface always says so, once it is asked.
    return t(kind === 'oscam_webif' ? 'card.notReadYet' : 'card.doesNotSay');
  };
}

/** How many lines are on, or why that is not known. */
export function useOnlineText() {
  const { t } = useTranslation('servers');
  const notKnownText = useNotKnownText();
  return (server: Server): string =>
    notKnownText(server) ??
    t('card.onlineOf', { online: server.presence?.lines_online ?? 0, count: server.line_count });
}

/** What stands between the panel and the card server. */
export function useReachedText() {
  const { t } = useTranslation('servers');
  return ({ kind, agent_version: version, api_port: port }: Server): string => {
    if (kind === 'oscam_webif') return t('reach.oscam_webif.title');
    return version ? t('awaited.agent', { version }) : t('page.facts.agentAt', { port });
  };
}
