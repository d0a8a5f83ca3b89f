import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { useTranslation } from 'react-i18next';
import { formatSince } from '#platform/format/format-moment.ts';

/**
 * The card server's program and the time of its start, from its last reading of sessions or else from its last reload.
 */
export function cardServerOf({ presence, reload }: Server) {
  return {
    program: presence?.card_server ?? reload?.card_server ?? null,
    started_at: presence?.started_at ?? reload?.started_at ?? null,
  };
}

/** Returns the reason why a server's number of lines online is not shown; undefined if it is known. */
export function useNotKnownText() {
  const { t, i18n } = useTranslation('servers');
  return ({ kind, presence, line_count, last_connection }: Server): string | undefined => {
    if (line_count === 0) return t('card.noLinesYet');
    if (presence?.is_known) return undefined;
    if (presence?.at) {
      return t('presence.isUnknownSince', {
        time: formatSince(Date.parse(presence.at), i18n.language),
      });
    }
    if (!last_connection) return t('card.notTested');
    // OSCam's web interface always reports sessions, so they were only not read yet.
    return t(kind === 'oscam_webif' ? 'card.notReadYet' : 'card.doesNotSay');
  };
}

/** Returns a function that gives the number of a server's lines online, or the reason why it is unknown. */
export function useOnlineText() {
  const { t } = useTranslation('servers');
  const notKnownText = useNotKnownText();
  return (server: Server): string =>
    notKnownText(server) ??
    t('card.onlineOf', { online: server.presence?.lines_online ?? 0, count: server.line_count });
}

/**
 * Returns the way in which the panel reaches the card server: the agent or OSCam's web interface,
 * with version and port.
 */
export function useReachedText() {
  const { t } = useTranslation('servers');
  return ({ kind, agent_version: version, api_port: port }: Server): string => {
    if (kind === 'oscam_webif') return t('page.facts.webifAt', { port });
    return version ? t('awaited.agentAt', { version, port }) : t('page.facts.agentAt', { port });
  };
}
