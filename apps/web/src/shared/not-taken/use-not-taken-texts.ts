import type { Reload, Server } from '@linekeeper/contract/servers/servers.ts';
import { useTranslation } from 'react-i18next';
import { formatMoment, formatTime } from '../format/format-moment.ts';
import { useFindingText } from '../i18n/use-finding-text.ts';

/** The time alone where it was today. */
export function useShortMoment(): (moment: string) => string {
  const { i18n } = useTranslation();
  return (moment) => {
    const at = new Date(moment);
    const isToday = at.toDateString() === new Date().toDateString();
    return isToday ? formatTime(at.getTime(), i18n.language) : formatMoment(moment, i18n.language);
  };
}

/** True where something waits, or the last attempt failed; not where nobody tells the card server yet. */
export function isNotTaken({ reload }: Server): boolean {
  return Boolean(reload?.finding && (reload.waiting > 0 || reload.ok === false));
}

/** When the card server last read its accounts, or else since when changes wait. */
export function notTakenSince({ ok_at, since }: Reload): string | null {
  return ok_at ?? since;
}

/** What a card server has not taken, why, and since when. */
export function useNotTakenTexts() {
  const { t } = useTranslation();
  const findingText = useFindingText();
  const shortMoment = useShortMoment();
  return (reload: Reload) => {
    const since = notTakenSince(reload);
    return {
      title:
        reload.waiting > 0 ? t('notTaken.title', { count: reload.waiting }) : t('notTaken.failing'),
      reason: findingText(reload.finding),
      since: since && t('notTaken.since', { time: shortMoment(since) }),
    };
  };
}
