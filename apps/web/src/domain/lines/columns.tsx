import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { textColumns } from '@linekeeper/contract/lists/lists.ts';
import { useMemo } from 'react';
import { usePlanName } from '#domain/prices/plans.ts';
import { column, type ListColumn } from '#kit/list/columns.tsx';
import { Highlight } from '#kit/ui/highlight.tsx';
import { isolate } from '#platform/i18n/isolate.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { MoreButton, RenewButton } from './actions.tsx';
import { ExpiryBadge } from './expiry.tsx';
import { HiddenMatch } from './hidden-match.tsx';
import { LineLink } from './line-link.tsx';
import { OnlineText } from './presence.tsx';
import { StatusBadge } from './status.tsx';
import { Pending, ServerName, syncProblem } from './sync.tsx';
import { useTermText } from './texts.ts';

// The mark is loaded on demand, because few lists have such a name.
const NameProblemMark = lazyPart(() => import('./name-problem.tsx'), 'NameProblemMark', {
  isPart: true,
});

/**
 * Width in pixels of a column with a button and a menu: the longest words of the four languages for Renew.
 * `SHARE_WIDTH` is that for Share with its icon.
 */
export const RENEW_WIDTH = 138;
export const SHARE_WIDTH = 172;

const cut = (value: string | null, q: string) =>
  value && <Highlight text={value} part={q} className="cell-text" />;

/** The columns of a list of lines. Matches of the search `q` are marked in them. */
export function useLineColumns(q: string): ListColumn<Line>[] {
  return useMemo(
    () => [
      column.name('username', (line) => <Username line={line} q={q} />, {
        sortBy: 'username',
        width: { size: 148 },
        skeleton: ['long'],
      }),
      column.text('online', ({ presence }) => <OnlineText presence={presence} />, {
        // The first click sorts online lines to the top.
        sortBy: '-last_seen',
        // Rare words such as "3 Verbindungen" take two lines, so that names do not have to.
        width: { size: 124, min: 108, max: undefined },
      }),
      column.text('expiry', (line) => <ExpiryBadge day={line.expiry_date} />, {
        sortBy: 'expiry_date',
        // This width fits the longest badge, on its own row in the narrow table: "5 miesięcy temu".
        width: { size: 220, min: 130, max: undefined },
        skeleton: ['text', 'badge'],
      }),
      column.badge('status', (line) => <StatusBadge line={line} isInRow />, {
        width: { size: 106, min: 106 },
      }),
      column.text('server', (line) => <SyncChip line={line} />, {
        width: { size: 142, min: 134, max: undefined },
      }),
      column.text('owner', (line) => cut(line.owner_name || line.owner_email, ''), {
        width: { size: 132, min: 86, max: 208 },
      }),
      column.text('plan', ({ plan_id }) => <PlanName id={plan_id} />),
      ...textColumns.map((name) => column.text(name, (line: Line) => cut(line[name], q))),
      column.day('added', ({ added_date }) => added_date, { sortBy: 'added_date' }),
      column.text('term', (line) => <Term line={line} />),
    ],
    [q],
  );
}

/** The buttons of a line in a table. */
export function LineButtons({ row: line }: { row: Line }) {
  return (
    <>
      <RenewButton line={line} variant="text" size="small" />
      <MoreButton line={line} size="tiny" />
    </>
  );
}

/**
 * The look of a name. It is shown whole if rows have room, or if it is marked as too long, because
 * only its end may distinguish it from the next.
 */
const IN_ROOM =
  '[[data-density=comfortable]_&]:max-h-none [[data-density=comfortable]_&]:py-[3px] [[data-density=comfortable]_&]:whitespace-normal';

function Username({ line, q }: { line: Line; q: string }) {
  const { id, username } = line;
  const name = (
    <Highlight
      text={username}
      part={q}
      className={`cell-text ${line.name_problem ? 'max-h-none py-[3px] whitespace-normal' : IN_ROOM}`}
    />
  );
  return (
    <>
      <span className="flex items-center justify-between gap-1">
        <LineLink
          id={id}
          className="flex min-w-0 text-inherit hover:underline"
          title={isolate(username)}
        >
          {name}
        </LineLink>
        {line.name_problem && <NameProblemMark line={line} problem={line.name_problem} />}
      </span>
      {q && <HiddenMatch line={line} q={q} />}
    </>
  );
}

function PlanName({ id }: { id: string }) {
  return cut(usePlanName()(id), '');
}

function Term({ line }: { line: Line }) {
  return useTermText()(line);
}

// The chip is loaded on demand, because most lists contain no line with a problem.
const ProblemChip = lazyPart(() => import('./sync-problem.tsx'), 'ProblemChip', {
  before: ({ line }) => (
    <span className="flex items-center gap-1 [&_svg]:text-warning-fg">
      <ServerName id={line.server_id} />
    </span>
  ),
  isPart: true,
});

/** The server of a line, or a note that the line is not on its server. */
function SyncChip({ line }: { line: Line }) {
  const problem = syncProblem(line);
  if (problem) return <ProblemChip line={line} problem={problem} />;
  return (
    <span className="flex items-center gap-1 [&_svg]:text-warning-fg">
      <ServerName id={line.server_id} />
      {line.sync_state === 'pending' && <Pending />}
    </span>
  );
}
