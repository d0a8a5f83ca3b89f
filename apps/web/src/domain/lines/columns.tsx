import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { textColumns } from '@linekeeper/contract/lists/lists.ts';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { column, type ListColumn } from '#kit/list/columns.tsx';
import { CopyButton } from '#kit/ui/buttons/copy-button.tsx';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { Highlight } from '#kit/ui/highlight.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { Row } from '#kit/ui/vocabulary.tsx';
import { isolate } from '#platform/i18n/isolate.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { MoreButton, RenewButton } from './actions.tsx';
import cells from './cells.module.css';
import { ExpiryBadge } from './expiry.tsx';
import { HiddenMatch } from './hidden-match.tsx';
import { LineLink } from './line-link.tsx';
import { OnlineText } from './presence.tsx';
import { PASSWORD_DOTS } from './queries.ts';
import { StatusBadge } from './status.tsx';
import { Pending, ServerName, syncProblem } from './sync.tsx';
import { useTermText } from './texts.ts';
import { useReveal } from './use-reveal.ts';

// Loaded on demand, because few lists have such a name.
const NameProblemMark = lazyPart(() => import('./name-problem.tsx'), 'NameProblemMark', {
  isPart: true,
});

/**
 * Widths in each language: with the columns of the start, a window of 1440 pixels is filled to the
 * last one, at the expense of the name where other words are longer.
 */
const widths = {
  en: { username: 178, online: 132, expiry: 220, status: 100, server: 156, owner: 132, renew: 66 },
  de: { username: 160, online: 140, expiry: 226, status: 106, server: 134, owner: 126, renew: 94 },
  pl: { username: 160, online: 130, expiry: 236, status: 106, server: 150, owner: 126, renew: 78 },
  pt: { username: 160, online: 128, expiry: 224, status: 96, server: 168, owner: 126, renew: 80 },
};
const MORE_WIDTH = 44;

function useWidths() {
  const { language } = useTranslation().i18n;
  return widths[language as keyof typeof widths] ?? widths.en;
}

/** Sharing has an icon, too. */
const SHARE_WIDTH = 128;

export function useLineActionsWidth(isShared = false): number {
  const { renew } = useWidths();
  return (isShared ? SHARE_WIDTH : renew) + MORE_WIDTH;
}

const cut = (value: string | null, q: string) =>
  value && <Highlight text={value} part={q} className={cells.ellipsis} />;

/** The columns of a list of lines, in which `q` is marked. */
export function useLineColumns(q: string): ListColumn<Line>[] {
  const { username, online, expiry, status, server, owner } = useWidths();
  return useMemo(
    () => [
      column.name('username', (line) => <Username line={line} q={q} />, {
        sortBy: 'username',
        width: { size: username },
        skeleton: ['long'],
      }),
      column.text('password', (line) => <PasswordCell line={line} />, {
        width: { size: 126, min: 120, max: undefined },
      }),
      column.text('online', ({ presence }) => <OnlineText presence={presence} />, {
        // A first press shows those who are online.
        sortBy: '-last_seen',
        // The longest words are "3 Verbindungen".
        width: { size: online, min: Math.min(online, 134), max: undefined },
        inCard: 'bare',
      }),
      column.text('expiry', (line) => <ExpiryBadge day={line.expiry_date} />, {
        sortBy: 'expiry_date',
        // The longest badge on two lines is "5 miesięcy temu".
        width: { size: expiry, min: expiry > 230 ? 146 : 130, max: undefined },
        skeleton: ['text', 'badge'],
        inCard: 'bare',
      }),
      column.badge('status', (line) => <StatusBadge line={line} />, {
        width: { size: status, min: status },
        inCard: 'badge',
      }),
      column.text('server', (line) => <SyncChip line={line} />, {
        width: { size: server, min: 134, max: undefined },
        inCard: 'bare',
      }),
      column.text('owner', (line) => cut(line.owner_name || line.owner_email, ''), {
        width: { size: owner, min: 86, max: 208 },
      }),
      ...textColumns.map((name) => column.text(name, (line: Line) => cut(line[name], q))),
      column.day('added', ({ added_date }) => added_date, { sortBy: 'added_date' }),
      column.text('term', (line) => <Term line={line} />),
    ],
    [username, online, expiry, status, server, owner, q],
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

function Username({ line, q }: { line: Line; q: string }) {
  const { t } = useTranslation('lines');
  const { id, username } = line;
  const name = <Highlight text={username} part={q} className={cells.ellipsis} />;
  return (
    <>
      <Row as="span" gap={4} justify="between" className={cells.username}>
        <LineLink id={id} className={cells.link} title={isolate(username)}>
          {name}
        </LineLink>
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

// Loaded on demand, because most lists contain no line with a problem.
const ProblemChip = lazyPart(() => import('./sync-problem.tsx'), 'ProblemChip', {
  before: ({ line }) => (
    <span className={cells.sync}>
      <ServerName id={line.server_id} />
    </span>
  ),
  isPart: true,
});

/** The server of a line, or that the line is not on its server. */
function SyncChip({ line }: { line: Line }) {
  const problem = syncProblem(line);
  if (problem) return <ProblemChip line={line} problem={problem} />;
  return (
    <span className={cells.sync}>
      <ServerName id={line.server_id} />
      {line.sync_state === 'pending' && <Pending />}
    </span>
  );
}

/**
 * A masked password with a reveal button. A shown password wraps if it is longer than the column.
 */
function PasswordCell({ line }: { line: Line }) {
  const { t } = useTranslation();
  const { username } = line;
  const { password, isPending, getPassword, toggle } = useReveal(line.id);
  const isShown = password !== undefined;
  return (
    <div className={cells.password} data-shown={isShown || undefined}>
      <span className={cells.passwordButtons}>
        <IconButton
          size="tiny"
          label={t(isShown ? 'line.password.hideOf' : 'line.password.revealOf', { username })}
          onClick={toggle}
          aria-busy={isPending || undefined}
          icon={isShown ? 'eye-off' : 'eye'}
        />
        <CopyButton getValue={getPassword} label={t('line.password.copyOf', { username })} />
      </span>
      <span className={cells.secret} aria-live="polite">
        {isShown ? (
          <TypedText>{password}</TypedText>
        ) : (
          <span aria-hidden="true">{PASSWORD_DOTS}</span>
        )}
      </span>
    </div>
  );
}
