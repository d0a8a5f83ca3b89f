import type { Presence } from '@linekeeper/contract/servers/presence.ts';
import { useTranslation } from 'react-i18next';
import { relativeFormat } from '#platform/format/format-ago.ts';
import { formatDayOfYear, formatMoment, formatSince } from '#platform/format/format-moment.ts';
import { useMinute } from '#platform/state/minute.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Days for which the text counts ("6 days ago"); from a week on, it has the date. */
const DAYS_COUNTED = 6;

/** The look of a dot: filled, a ring, a dash, a dotted ring. */
type Look = 'online' | 'offline' | 'never' | 'unknown';

function lookOf({ state, last_seen_at }: Presence): Look {
  return state === 'offline' && last_seen_at === null ? 'never' : state;
}

/** True if the line's server never reported its sessions. */
export const isNeverSaid = ({ state, since }: Presence): boolean =>
  state === 'unknown' && since === null;

/** Returns a function that says how long ago a line was online: '5 min ago', '3 h ago', '2 days ago' or '12 Nov'. */
export function useSeenText(): (moment: string) => string {
  const { t, i18n } = useTranslation();
  const now = useMinute();
  return (moment) => {
    const passed = now - Date.parse(moment);
    const days = Math.floor(passed / DAY_MS);
    if (days > DAYS_COUNTED) return formatDayOfYear(moment, i18n.language);
    if (days > 0) return relativeFormat(i18n.language, 'always').format(-days, 'day');
    if (passed >= HOUR_MS) return t('presence.hoursAgo', { value: Math.floor(passed / HOUR_MS) });
    return t('presence.minutesAgo', { value: Math.max(1, Math.floor(passed / MINUTE_MS)) });
  };
}

interface OnlineTextProps {
  presence: Presence;
  /** True if there is only room for the dot. */
  isDot?: boolean;
}

/** The presence of a line in words, beside a dot whose shape has the same meaning. */
export function OnlineText({ presence, isDot = false }: OnlineTextProps) {
  const { t, i18n } = useTranslation();
  const seenText = useSeenText();
  const { connections, since, last_seen_at } = presence;
  const look = lookOf(presence);
  const unknown = since
    ? t('presence.unknownSince', { time: formatSince(Date.parse(since), i18n.language) })
    : t('presence.neverSaid');
  const texts: Record<Look, { words: string; title?: string; spoken?: string }> = {
    online: {
      words: t('presence.connections', { count: connections }),
      spoken: t('presence.online'),
    },
    offline: {
      words: last_seen_at ? seenText(last_seen_at) : '',
      ...(last_seen_at && { title: formatMoment(last_seen_at, i18n.language) }),
      spoken: t('presence.lastOnline'),
    },
    never: { words: t('presence.never') },
    unknown: { words: since ? t('presence.unknown') : '–', title: unknown },
  };
  const { words, title, spoken } = texts[look];
  return (
    <span
      className="inline-flex items-center gap-2 text-text-2 type-body align-middle whitespace-nowrap data-[look=online]:text-text"
      data-look={look}
      title={title}
    >
      <OnlineDot look={look} />
      {spoken && <span className="visually-hidden">{spoken}, </span>}
      <span className={isDot ? 'visually-hidden' : undefined}>{words}</span>
      {look === 'unknown' && <span className="visually-hidden">{title}</span>}
    </span>
  );
}

const dots: Record<Look, string> = {
  online: 'h-2 rounded-[50%] [border:4px_solid_var(--color-chart-4)]',
  offline: 'h-2 rounded-[50%] [border:1.5px_solid_var(--color-icon-quiet)]',
  never: 'h-0 [border-top:2px_solid_var(--color-icon-quiet)]',
  unknown: 'h-2 rounded-[50%] [border:1.5px_dotted_var(--color-icon)]',
};

export function OnlineDot({ look = 'online' }: { look?: Look }) {
  return <i className={`flex-none w-2 ${dots[look]}`} data-look={look} aria-hidden="true" />;
}
