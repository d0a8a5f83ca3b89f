import type { OnlineFigures } from '@linekeeper/contract/dashboard.ts';
import { OctagonAlert, UserRoundSearch, UserRoundX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../../shared/data/session.ts';
import { formatDate, formatSince } from '../../../shared/format/format-moment.ts';
import { formatShare } from '../../../shared/i18n/format-share.ts';
import { isolate } from '../../../shared/i18n/isolate.ts';
import { useFindingText } from '../../../shared/i18n/use-finding-text.ts';
import { ButtonLink } from '../../../shared/ui/buttons/button-link.tsx';
import { AttentionRow } from './attention-rows.tsx';

const useSince = () => {
  const { t, i18n } = useTranslation('dashboard');
  return (moment: string) =>
    t('attention.since', { time: formatSince(Date.parse(moment), i18n.language) });
};

/** A server that answers, and does not say who is online. */
export function SilentServer({ server }: { server: OnlineFigures['servers'][number] }) {
  const { t } = useTranslation('dashboard');
  const { is_admin } = useMe();
  const since = useSince();
  const findingText = useFindingText();
  const { server_id, server_name, lines, unknown_since, finding } = server;
  const link = is_admin
    ? ({ to: '/cccam-servers/$id', params: { id: server_id } } as const)
    : ({ to: '/users/all', search: { server: server_id } } as const);
  const title = t('attention.silent', { name: server_name });
  return (
    <AttentionRow
      icon={<UserRoundSearch size={20} />}
      tone="warning"
      title={title}
      link={link}
      caption={[
        unknown_since && since(unknown_since),
        t('attention.linesWork', { count: lines }),
        finding && findingText(finding),
      ]
        .filter(Boolean)
        .join(' · ')}
      action={
        <ButtonLink {...link} size="small" aria-label={`${t('attention.openIt')}: ${title}`}>
          {t('attention.openIt')}
        </ButtonLink>
      }
    />
  );
}

/** A line with many refused requests, more than it usually has. */
export function RefusedLine({ line }: { line: OnlineFigures['refusals'][number] }) {
  const { t, i18n } = useTranslation('dashboard');
  const { is_admin } = useMe();
  const since = useSince();
  const { line_id, username, server_name, owner_name, share } = line;
  const title = t('attention.refused', {
    username,
    share: formatShare(share, i18n.language),
  });
  return (
    <AttentionRow
      icon={<OctagonAlert size={20} />}
      tone="warning"
      title={title}
      lineId={line_id}
      caption={[since(line.since), isolate(server_name), is_admin && isolate(owner_name)]
        .filter(Boolean)
        .join(' · ')}
      action={
        <ButtonLink
          to="/users/$id"
          params={{ id: line_id }}
          search={{ part: 'usage' }}
          size="small"
          aria-label={`${t('attention.openIt')}: ${title}`}
        >
          {t('attention.openIt')}
        </ButtonLink>
      }
    />
  );
}

/** Lines that were sold, and whose customers never connected. */
export function NeverConnected({ lines, oldest }: OnlineFigures['never_connected']) {
  const { t, i18n } = useTranslation('dashboard');
  const title = t('attention.never', { count: lines });
  const link = {
    to: '/users/all',
    search: { never: true, sold: '3d', status: 'active', sort: 'added_date' },
  } as const;
  return (
    <AttentionRow
      icon={<UserRoundX size={20} />}
      tone="warning"
      title={title}
      link={link}
      caption={
        oldest &&
        t('attention.oldest', {
          // Noon of whoever reads it is on that day.
          day: formatDate(new Date(`${oldest}T12:00:00`).toISOString(), i18n.language),
        })
      }
      action={
        <ButtonLink {...link} size="small" aria-label={`${t('attention.show')}: ${title}`}>
          {t('attention.show')}
        </ButtonLink>
      }
    />
  );
}
