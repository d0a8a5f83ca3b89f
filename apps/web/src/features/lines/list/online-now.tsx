import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useTranslation } from 'react-i18next';
import { isNeverSaid, OnlineDot } from '#domain/lines/presence.tsx';
import { useServerName } from '#domain/lines/sync.tsx';
import { Caption, Row } from '#kit/ui/vocabulary.tsx';
import { useMe } from '#platform/data/session.ts';
import { formatSince, formatTime } from '#platform/format/format-moment.ts';
import { isolate } from '#platform/i18n/isolate.ts';

interface OnlineNowProps {
  online: number;
  /** When they were counted. */
  at: number;
}

/** How many lines are online, and as of when. */
export function OnlineNow({ online, at }: OnlineNowProps) {
  const { t, i18n } = useTranslation('lines');
  return (
    <Row as="span" gap={8} inline muted>
      <OnlineDot />
      {t('onlineNow', { online, time: formatTime(at, i18n.language) })}
    </Row>
  );
}

interface UnknownServersProps {
  rows: readonly Line[];
  /** True behind other words. */
  isContinued?: boolean;
}

/** The servers of these lines that do not say who is online: those that did before, or how all of them would. */
export function UnknownServers({ rows, isContinued = false }: UnknownServersProps) {
  const { t } = useTranslation('lines');
  const { is_admin } = useMe();
  if (is_admin && rows.length > 0 && rows.every(({ presence }) => isNeverSaid(presence))) {
    return <Caption wraps>{t('nobodySays')}</Caption>;
  }
  const servers = new Map(
    rows.flatMap(({ server_id, presence: { state, since } }) =>
      state === 'unknown' && since ? [[server_id, since] as const] : [],
    ),
  );
  return [...servers].map(([id, since], index) => (
    <span key={id}>
      {(index > 0 || isContinued) && ' · '}
      <UnknownServer id={id} since={since} />
    </span>
  ));
}

function UnknownServer({ id, since }: { id: string; since: string }) {
  const { t, i18n } = useTranslation('lines');
  const server = isolate(useServerName(id));
  return t('unknownServer', { server, time: formatSince(Date.parse(since), i18n.language) });
}
