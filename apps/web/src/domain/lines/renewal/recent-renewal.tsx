import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lineStateQuery } from '#domain/lines/queries.ts';
import { confirm } from '#kit/overlays/dialogs/confirm.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { formatAgo } from '#platform/format/format-ago.ts';

const TICK_MS = 5000;

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
  return formatAgo(moment, i18n.language, { now, inSeconds: true });
}

/**
 * The warning that somebody else renewed the line a moment ago, and a function that asks whether to renew it again.
 */
export function useRecentRenewal(lineId: string, isAsked: boolean) {
  const { i18n } = useTranslation();
  const { data } = useQuery({ ...lineStateQuery(lineId), enabled: isAsked });
  const recent = isAsked && data?.renewal && !data.renewal.is_own ? data.renewal : undefined;
  const ago = useAgo(recent?.at);
  const by = recent?.by ?? i18n.t('lines:recent.other');
  const text = recent ? i18n.t('lines:recent.renewed', { ago, by }) : undefined;
  /** Resolves to true where nobody else renewed the line, or the second time is meant. */
  const isMeant = async (confirmLabel: string) =>
    text === undefined ||
    (await confirm({
      title: i18n.t('lines:recent.question'),
      text: i18n.t('lines:recent.sure', { text }),
      confirmLabel,
    }));
  return { text, isMeant };
}

/** The warning above the renewal button that somebody else renewed the line a moment ago. */
export function RecentRenewal({ text }: { text: string | undefined }) {
  return <div role="status">{text !== undefined && <Banner tone="warning" title={text} />}</div>;
}
