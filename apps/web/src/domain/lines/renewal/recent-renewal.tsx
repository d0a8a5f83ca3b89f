import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lineStateQuery } from '#domain/lines/queries.ts';
import { confirm } from '#kit/overlays/dialogs/confirm.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { formatAgo } from '#platform/format/format-ago.ts';

const TICK_MS = 5000;

/** The time since a moment, such as '10 seconds ago', updated continuously. */
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
 * The warning that somebody else has just renewed the line, and a function that asks for a
 * confirmation of another renewal.
 */
export function useRecentRenewal(lineId: string, isAsked: boolean) {
  const { i18n } = useTranslation();
  const { data } = useQuery({ ...lineStateQuery(lineId), enabled: isAsked });
  const recent = isAsked && data?.renewal && !data.renewal.is_own ? data.renewal : undefined;
  const ago = useAgo(recent?.at);
  const by = recent?.by ?? i18n.t('lines:recent.other');
  const text = recent ? i18n.t('lines:recent.renewed', { ago, by }) : undefined;
  /** Resolves to true if nobody else renewed the line, or if the second renewal is confirmed. */
  const isMeant = async (confirmLabel: string) =>
    text === undefined ||
    (await confirm({
      title: i18n.t('lines:recent.question'),
      text: i18n.t('lines:recent.sure', { text }),
      confirmLabel,
    }));
  return { text, isMeant };
}

/** The warning above the renewal button that somebody else has just renewed the line. */
export function RecentRenewal({ text }: { text: string | undefined }) {
  return <div role="status">{text !== undefined && <Banner tone="warning" title={text} />}</div>;
}
