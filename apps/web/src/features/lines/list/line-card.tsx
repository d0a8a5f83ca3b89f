import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { MoreButton, RenewButton } from '#domain/lines/actions.tsx';
import { ExpiryBadge } from '#domain/lines/expiry.tsx';
import { MatchBesideName } from '#domain/lines/hidden-match.tsx';
import { LineLink } from '#domain/lines/line-link.tsx';
import { isNeverSaid, OnlineText } from '#domain/lines/presence.tsx';
import { StatusBadge } from '#domain/lines/status.tsx';
import { Pending, ServerName, syncProblem } from '#domain/lines/sync.tsx';
import { useSearchText } from '#kit/list/found.tsx';
import { CardLine, RowCard } from '#kit/list/table/cards.tsx';
import type { CardProps } from '#kit/list/table/responsive-table.tsx';
import { Highlight } from '#kit/ui/highlight.tsx';
import { Caption } from '#kit/ui/vocabulary.tsx';
import { useMe } from '#platform/data/session.ts';
import { shownText } from '#platform/i18n/isolate.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { CopyLine } from './copy-line.tsx';
import styles from './line-card.module.css';

const RetryLine = lazyPart(() => import('#domain/lines/sync-problem.tsx'), 'RetryLine', {
  isPart: true,
});

const NameProblemLine = lazyPart(
  () => import('#domain/lines/name-problem.tsx'),
  'NameProblemLine',
  { isPart: true },
);

export function LineCard({ row: line, box, isSelected }: CardProps<Line>) {
  const q = useSearchText();
  const me = useMe();
  // To administrators all lines are others'.
  const isOthers = !me.is_admin && line.owner_id !== me.id;
  return (
    <RowCard
      isSelected={isSelected}
      box={box}
      name={
        <LineLink id={line.id} className={styles.name}>
          <Highlight text={line.username} part={q} />
        </LineLink>
      }
      badge={<StatusBadge line={line} />}
      actions={<CardActions line={line} />}
    >
      <CardLine>
        <ExpiryBadge day={line.expiry_date} />
        <Caption wraps>
          {isOthers && <>{shownText(line.owner_name || line.owner_email)} · </>}
          <ServerName id={line.server_id} wraps /> {line.sync_state === 'pending' && <Pending />}
        </Caption>
      </CardLine>
      {!isNeverSaid(line.presence) && (
        <CardLine>
          <OnlineText presence={line.presence} />
        </CardLine>
      )}
      {q && (
        <CardLine>
          <MatchBesideName line={line} q={q} />
        </CardLine>
      )}
      {line.name_problem && (
        <NameProblemLine line={line} problem={line.name_problem} className={styles.retry} />
      )}
      {syncProblem(line) && <RetryLine line={line} className={styles.retry} />}
    </RowCard>
  );
}

function CardActions({ line }: { line: Line }) {
  return (
    <>
      <RenewButton line={line} variant="soft" />
      <CopyLine line={line} />
      <MoreButton line={line} size="medium" />
    </>
  );
}
