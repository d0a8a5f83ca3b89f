import { formatDay } from '@linekeeper/contract/dates.ts';
import type { Line, LineColumn, linesList } from '@linekeeper/contract/lines/lines.ts';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { SizedColumn } from '../list/table/column.ts';
import { lazyComponent } from '../start/lazy-component.tsx';
import { CopyButton } from '../ui/buttons/copy-button.tsx';
import { Highlight } from '../ui/highlight.tsx';
import { Row } from '../ui/vocabulary.tsx';
import { MoreButton, RenewButton } from './actions.tsx';
import cells from './cells.module.css';
import { ExpiryBadge } from './expiry.tsx';
import { HiddenMatch } from './hidden-match.tsx';
import { PasswordCell } from './password-cell.tsx';
import { StatusBadge } from './status.tsx';
import { SyncChip } from './sync-chip.tsx';
import { useTermText } from './use-term-text.ts';

// Loaded on demand, because few lists have such a name.
const NameProblemMark = lazyComponent(
  async () => (await import('./name-problem.tsx')).NameProblemMark,
  { isPart: true },
);

type SortableColumn = (typeof linesList.sorts)[number];

interface LineLook
  extends Pick<SizedColumn<Line>, 'size' | 'minSize' | 'maxSize' | 'bones' | 'inCard'> {
  /** `q` is the search text, which the cell highlights. */
  cell: (line: Line, q: string) => ReactNode;
  sortBy?: SortableColumn;
}

const text = (value: string | null, q: string): ReactNode =>
  value && <Highlight text={value} part={q} className={cells.ellipsis} />;

/** In the contract's order, which is also the order of columns in the table. */
const looks: Record<LineColumn, LineLook> = {
  password: { size: 126, cell: (line) => <PasswordCell line={line} />, minSize: 120 },
  expiry: {
    size: 220,
    cell: (line) => <ExpiryBadge day={line.expiry_date} />,
    sortBy: 'expiry_date',
    minSize: 130,
    bones: ['text', 'badge'],
    inCard: 'bare',
  },
  status: {
    size: 96,
    cell: (line) => <StatusBadge line={line} />,
    bones: ['badge'],
    inCard: 'badge',
  },
  server: { size: 160, cell: (line) => <SyncChip line={line} />, minSize: 134, inCard: 'bare' },
  owner: {
    size: 112,
    cell: (line) => text(line.owner_name || line.owner_email, ''),
    minSize: 96,
    maxSize: 208,
  },
  name: { size: 144, cell: (line, q) => text(line.name, q), minSize: 104 },
  company: { size: 144, cell: (line, q) => text(line.company, q), minSize: 104 },
  email: { size: 176, cell: (line, q) => text(line.email, q), minSize: 120 },
  notes: { size: 192, cell: (line, q) => text(line.notes, q), minSize: 120 },
  added: {
    size: 104,
    cell: (line) => <time dateTime={line.added_date}>{formatDay(line.added_date)}</time>,
    sortBy: 'added_date',
  },
  term: { size: 104, cell: (line) => <Term line={line} /> },
};

const BUTTONS = { renew: 66, more: 44 };

/** Widths for languages with longer words, at the expense of the name. */
const longer: Record<string, Partial<Record<LineColumn | 'username' | 'renew', number>>> = {
  de: { username: 160, expiry: 226, status: 106, server: 168, owner: 106, renew: 94 },
  pl: { username: 160, expiry: 236, status: 106, server: 168, renew: 78 },
  pt: { username: 160, expiry: 224, server: 168, renew: 80 },
};

/** Least widths for languages in which a badge is longer: "5 miesięcy temu". */
const least: Record<string, Partial<Record<LineColumn, Pick<LineLook, 'minSize'>>>> = {
  pl: { expiry: { minSize: 146 } },
};

/**
 * All columns except the selection box. `isLinked` makes the names links, where the list is not the
 * one that its lines are worked with.
 */
export function useLineColumns(q: string, isLinked = false): SizedColumn<Line>[] {
  const { t, i18n } = useTranslation('lines');
  const { language } = i18n;
  return useMemo(() => {
    const named = Object.entries(looks) as [LineColumn, LineLook][];
    return [
      {
        id: 'username',
        kind: 'name',
        title: t('columns.username'),
        cell: (line) => <Username line={line} q={q} isLinked={isLinked} />,
        sortBy: 'username' satisfies SortableColumn,
        // Less would cut names where the expiry can go on two lines instead.
        size: longer[language]?.username ?? 196,
        minSize: 140,
        scrolledSize: 208,
        bones: ['long'],
      },
      ...named.map(([id, look]) => ({
        id,
        title: t(`columns.${id}`),
        ...look,
        ...least[language]?.[id],
        size: longer[language]?.[id] ?? look.size,
        cell: (line: Line) => look.cell(line, q),
      })),
      {
        id: 'actions',
        kind: 'actions',
        title: t('list.actions'),
        cell: (line) => (
          <>
            <RenewButton line={line} variant="text" size="small" />
            <MoreButton line={line} size="tiny" />
          </>
        ),
        size: (longer[language]?.renew ?? BUTTONS.renew) + BUTTONS.more,
      },
    ];
  }, [t, language, q, isLinked]);
}

interface UsernameProps {
  line: Line;
  q: string;
  isLinked: boolean;
}

function Username({ line, q, isLinked }: UsernameProps) {
  const { t } = useTranslation('lines');
  const { id, username } = line;
  const name = <Highlight text={username} part={q} className={cells.ellipsis} />;
  return (
    <>
      <Row as="span" gap={4} justify="between" className={cells.username}>
        {isLinked ? (
          <Link to="/users/edit/$id" params={{ id }} className={cells.link} title={username}>
            {name}
          </Link>
        ) : (
          name
        )}
        {line.name_problem && <NameProblemMark line={line} problem={line.name_problem} />}
        <CopyButton value={username} label={t('copyUsername', { username })} />
      </Row>
      {q && <HiddenMatch line={line} q={q} />}
    </>
  );
}

function Term({ line }: { line: Line }) {
  return useTermText()(line);
}
