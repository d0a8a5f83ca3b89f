import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { Banner } from '../../../shared/ui/states/banner.tsx';
import { lineStateQuery } from '../queries.ts';

const TICK_MS = 5000;
const MINUTE_S = 60;

/** '10 seconds ago', '3 minutes ago', which goes on by itself. */
function useAgo(moment: string | undefined): string {
  const { i18n } = useTranslation();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!moment) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [moment]);
  if (!moment) return '';
  const seconds = Math.max(0, Math.round((now - Date.parse(moment)) / 1000));
  const format = new Intl.RelativeTimeFormat(i18n.language, { numeric: 'always' });
  return seconds < MINUTE_S
    ? format.format(-seconds, 'second')
    : format.format(-Math.floor(seconds / MINUTE_S), 'minute');
}

/** A line that somebody else renewed a moment ago is renewed again only after a second yes. */
export function useRecentRenewal(lineId: string) {
  const { t } = useTranslation('lines');
  const { data } = useQuery(lineStateQuery(lineId));
  const recent = data?.renewal && !data.renewal.is_own ? data.renewal : undefined;
  const ago = useAgo(recent?.at);
  const by = recent?.by ?? t('recent.other');
  const text = recent ? t('recent.renewed', { ago, by }) : undefined;
  /** Resolves to true where nobody else renewed the line, or the second time is meant. */
  const isMeant = async (confirmLabel: string) =>
    text === undefined ||
    (await confirm({
      title: t('recent.question'),
      text: t('recent.sure', { text }),
      confirmLabel,
    }));
  return { text, isMeant };
}

/** Stands above the button that renews. */
export function RecentRenewal({ text }: { text: string | undefined }) {
  return <div role="status">{text !== undefined && <Banner tone="warning" title={text} />}</div>;
}
