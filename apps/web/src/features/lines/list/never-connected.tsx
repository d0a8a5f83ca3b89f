import { daysBetween } from '@linekeeper/contract/dates.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useTranslation } from 'react-i18next';
import { MoreButton } from '#domain/lines/actions.tsx';
import { useGetCredentials } from '#domain/lines/credentials.tsx';
import { expiryWords } from '#domain/lines/expiry.tsx';
import { useLinePassword } from '#domain/lines/hand-over/use-line-password.ts';
import { LineRow } from '#domain/lines/line-row.tsx';
import { ShareButton } from '#domain/lines/share-button.tsx';
import { column, type ListColumn } from '#kit/list/columns.tsx';
import type { CardProps } from '#kit/list/table/responsive-table.tsx';
import type { ButtonLook } from '#kit/ui/buttons/button.tsx';
import { useToday } from '#platform/data/settings.ts';
import { formatDate } from '#platform/format/format-moment.ts';

const kept = ['username', 'online', 'expiry', 'server', 'owner'];

/** The columns of lines that were sold and never connected, with the time since their sale first. */
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
    // Noon in the reader's own time zone is always on that day.
    day: formatDate(new Date(`${day}T12:00:00`).toISOString(), i18n.language),
    ago: expiryWords(daysBetween(today, day), i18n.language),
  };
}

function Sold({ day: added }: { day: string }) {
  const { day, ago } = useSold(added);
  return (
    <>
      {day} <span className="text-text-2 type-caption">{ago}</span>
    </>
  );
}

/** The buttons of a line that never connected: the remedy is to hand over its credentials again. */
export function NeverButtons({ row: line }: { row: Line }) {
  return (
    <>
      <ShareLine line={line} variant="text" size="small" />
      <MoreButton line={line} size="tiny" />
    </>
  );
}

/** A line that never connected, in the list of a phone. */
export function NeverRow(props: CardProps<Line>) {
  const { t } = useTranslation('lines');
  return <LineRow {...props} since={t('soldOn', useSold(props.row.added_date))} />;
}

type ShareLineProps = { line: Line } & Pick<ButtonLook, 'variant' | 'size'>;

/** Hands a line's credentials to its customer once more, from its row. */
function ShareLine({ line, ...look }: ShareLineProps) {
  const { t } = useTranslation('lines');
  const { getPassword } = useLinePassword(line);
  const getCredentials = useGetCredentials();
  return (
    <ShareButton
      {...look}
      label={t('shareOf', { username: line.username })}
      getText={() => getCredentials(line, getPassword)}
    />
  );
}
