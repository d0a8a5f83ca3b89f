import type { Reply } from '@linekeeper/contract/endpoint.ts';
import type { customersToTell } from '@linekeeper/contract/lines/customers.ts';
import { MessageCircleWarning } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { formatSince } from '../../../shared/format/format-moment.ts';
import { ButtonLink } from '../../../shared/ui/buttons/button-link.tsx';
import { AttentionRow } from './attention-rows.tsx';

/** Lines that were moved, or whose address changed, until their customers know. */
export function CustomersToTell({ job }: { job: Reply<typeof customersToTell>['items'][number] }) {
  const { t, i18n } = useTranslation('dashboard');
  const { job_id, at, lines, told, seen } = job;
  const title = t('attention.toTell', { count: lines });
  const link = { to: '/users/tell/$id', params: { id: job_id } } as const;
  return (
    <AttentionRow
      icon={<MessageCircleWarning size={20} />}
      tone="warning"
      title={title}
      link={link}
      caption={[
        t('attention.told', { count: told }),
        seen > 0 && t('attention.seenThere', { count: seen }),
        t('attention.since', { time: formatSince(Date.parse(at), i18n.language) }),
      ]
        .filter(Boolean)
        .join(' · ')}
      action={
        <ButtonLink {...link} size="small" aria-label={`${t('attention.tell')}: ${title}`}>
          {t('attention.tell')}
        </ButtonLink>
      }
    />
  );
}
