import { daysBetween } from '@linekeeper/contract/dates.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useTranslation } from 'react-i18next';
import { MoreButton } from '#domain/lines/actions.tsx';
import { expiryWords } from '#domain/lines/expiry.tsx';
import { LineLink } from '#domain/lines/line-link.tsx';
import { OnlineText } from '#domain/lines/presence.tsx';
import { ServerName } from '#domain/lines/sync.tsx';
import { column, type ListColumn } from '#kit/list/columns.tsx';
import { CardLine, RowCard } from '#kit/list/table/cards.tsx';
import type { CardProps } from '#kit/list/table/responsive-table.tsx';
import { Caption } from '#kit/ui/vocabulary.tsx';
import { useToday } from '#platform/data/settings.ts';
import { formatDate } from '#platform/format/format-moment.ts';
import { CopyLine } from './copy-line.tsx';
import styles from './line-card.module.css';
import { ShareLine } from './share-line.tsx';

const kept = ['username', 'online', 'expiry', 'server', 'owner'];

/** The columns of lines that were sold and never connected: since when they wait comes first. */
export function neverColumns(all: readonly ListColumn<Line>[]): ListColumn<Line>[] {
  const shown = all.filter(({ id }) => kept.includes(id));
  shown.splice(2, 0, sold);
  return shown;
}

const sold = column.text<Line>('sold', (line) => <Sold day={line.added_date} />, {
  sortBy: 'added_date',
  width: { size: 178, min: 160 },
});

function useSold(day: string) {
  const { i18n } = useTranslation();
  const today = useToday();
  return {
    // Noon of whoever reads it is on that day.
    day: formatDate(new Date(`${day}T12:00:00`).toISOString(), i18n.language),
    ago: expiryWords(daysBetween(today, day), i18n.language),
  };
}

function Sold({ day: added }: { day: string }) {
  const { day, ago } = useSold(added);
  return (
    <>
      {day} <Caption>{ago}</Caption>
    </>
  );
}

/** The buttons of such a line: what helps is to hand its credentials over again. */
export function NeverButtons({ row: line }: { row: Line }) {
  return (
    <>
      <ShareLine line={line} variant="text" size="small" />
      <MoreButton line={line} size="tiny" />
    </>
  );
}

export function NeverCard({ row: line, box, isSelected }: CardProps<Line>) {
  const { t } = useTranslation('lines');
  return (
    <RowCard
      isSelected={isSelected}
      box={box}
      name={
        <LineLink id={line.id} className={styles.name}>
          {line.username}
        </LineLink>
      }
      badge={<OnlineText presence={line.presence} />}
      actions={
        <>
          <ShareLine line={line} variant="soft" />
          <CopyLine line={line} />
          <MoreButton line={line} size="medium" />
        </>
      }
    >
      <CardLine>
        <span>{t('soldOn', useSold(line.added_date))}</span>
        <Caption wraps>
          <ServerName id={line.server_id} wraps />
        </Caption>
      </CardLine>
    </RowCard>
  );
}
