import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useMe } from '../../../shared/data/session.ts';
import { shownText } from '../../../shared/i18n/isolate.ts';
import { MoreButton, RenewButton } from '../../../shared/lines/actions.tsx';
import { ExpiryBadge } from '../../../shared/lines/expiry.tsx';
import { MatchBesideName } from '../../../shared/lines/hidden-match.tsx';
import { LineLink } from '../../../shared/lines/line-link.tsx';
import { isNeverSaid, OnlineText } from '../../../shared/lines/presence.tsx';
import { StatusBadge } from '../../../shared/lines/status.tsx';
import { Pending, ServerName, syncProblem } from '../../../shared/lines/sync.tsx';
import { useSearchText } from '../../../shared/list/found.tsx';
import { CardLine, RowCard } from '../../../shared/list/table/cards.tsx';
import type { CardProps } from '../../../shared/list/table/responsive-table.tsx';
import { lazyPart } from '../../../shared/start/lazy-part.tsx';
import { Highlight } from '../../../shared/ui/highlight.tsx';
import { Caption } from '../../../shared/ui/vocabulary.tsx';
import { CopyLine } from './copy-line.tsx';
import styles from './line-card.module.css';

const RetryLine = lazyPart(() => import('../../../shared/lines/sync-problem.tsx'), 'RetryLine', {
  isPart: true,
});

const NameProblemLine = lazyPart(
  () => import('../../../shared/lines/name-problem.tsx'),
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
