import { askedLines } from '@linekeeper/contract/lines/line-page.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { RenewButton } from '#domain/lines/actions.tsx';
import { LineLink } from '#domain/lines/line-link.tsx';
import { Badge } from '#kit/ui/badge.tsx';
import { Card } from '#kit/ui/card.tsx';
import { TimeAgo } from '#kit/ui/timestamp.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { callQuery } from '#platform/api/call-query.ts';
import { useCan } from '#platform/data/session.ts';

/** The card with lines whose customers asked for a renewal on their page. It is hidden while there are none. */
export function AskedCard() {
  const { t } = useTranslation('dashboard');
  const { data } = useQuery(callQuery('lines', askedLines, { enabled: useCan(askedLines.access) }));
  if (!data || data.items.length === 0) return null;
  return (
    <Card
      flush
      aria-label={t('asked')}
      title={
        <span className="flex items-center gap-2">
          {t('asked')}
          <Badge tone="info">{t('number', { value: data.items.length })}</Badge>
        </span>
      }
    >
      <ul className="divided pb-2">
        {data.items.map((line) => (
          <AskedRow key={line.id} line={line} />
        ))}
      </ul>
    </Card>
  );
}

function AskedRow({ line }: { line: Line }) {
  const { t } = useTranslation('dashboard');
  const { name, subscription_months: count, page } = line;
  return (
    <li className="flex items-center gap-3 min-h-16 py-2 px-(--card-pad)">
      <span className="grid grid-cols-1 flex-1 min-w-0 wrap-anywhere">
        <LineLink id={line.id} className="min-w-0 wrap-anywhere type-strong hover:underline">
          {line.username}
        </LineLink>
        <small>
          {name && (
            <>
              <TypedText>{name}</TypedText>,{' '}
            </>
          )}
          {count && `${t('credits.months', { count })}, `}
          {page?.asked_at && <TimeAgo value={page.asked_at} />}
        </small>
      </span>
      <RenewButton line={line} size="small" variant="soft" />
    </li>
  );
}
