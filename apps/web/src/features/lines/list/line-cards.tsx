import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { memo, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { MoreButton, RenewButton } from '../../../shared/lines/actions.tsx';
import { CopyCredentialsButton } from '../../../shared/lines/credentials.tsx';
import { ExpiryBadge } from '../../../shared/lines/expiry.tsx';
import { MatchBesideName } from '../../../shared/lines/hidden-match.tsx';
import { useRevealLine } from '../../../shared/lines/queries.ts';
import { StatusBadge } from '../../../shared/lines/status.tsx';
import { Pending, syncProblem, useServerName } from '../../../shared/lines/sync.tsx';
import { SelectRow } from '../../../shared/list/selection/select-boxes.tsx';
import { useSelection } from '../../../shared/list/selection/selection-context.tsx';
import { CardLine, Cards, RowCard } from '../../../shared/list/table/cards.tsx';
import { useListSearch } from '../../../shared/list/use-list.ts';
import { lazyComponent } from '../../../shared/start/lazy-component.tsx';
import { Highlight } from '../../../shared/ui/highlight.tsx';
import { TypedText } from '../../../shared/ui/typed-text.tsx';
import { useNeedsConnection } from '../../../shared/ui/use-needs-connection.ts';
import { Caption } from '../../../shared/ui/vocabulary.tsx';
import styles from './line-cards.module.css';

const RetryLine = lazyComponent(
  async () => (await import('../../../shared/lines/sync-problem.tsx')).RetryLine,
  {
    isPart: true,
  },
);

const NameProblemLine = lazyComponent(
  async () => (await import('../../../shared/lines/name-problem.tsx')).NameProblemLine,
  { isPart: true },
);

interface LineCardsProps {
  lines: readonly Line[];
  /** True while these lines belong to the previous query and must not be acted on. */
  isInert: boolean;
}

/** The lines list on a phone. */
export function LineCards({ lines, isInert }: LineCardsProps) {
  const { t } = useTranslation('lines');
  const { search } = useListSearch();
  const ids = useMemo(() => lines.map(({ id }) => id), [lines]);
  return (
    <Cards label={t('title')} isInert={isInert}>
      {lines.map((line) => (
        <LineCard key={line.id} line={line} ids={ids} q={search.q?.trim() ?? ''} />
      ))}
    </Cards>
  );
}

interface LineCardProps {
  line: Line;
  ids: readonly string[];
  /** The search text, to be highlighted. */
  q: string;
}

const LineCard = memo(function LineCard({ line, ids, q }: LineCardProps) {
  const { t } = useTranslation('lines');
  const { isSelected } = useSelection();
  const serverName = useServerName(line.server_id);
  const { id, username } = line;
  return (
    <RowCard
      isSelected={isSelected(id)}
      box={<SelectRow label={t('select.one', { username })} id={id} ids={ids} />}
      name={<Highlight text={username} part={q} />}
      badge={<StatusBadge line={line} />}
      actions={<CardActions line={line} />}
    >
      <CardLine>
        <ExpiryBadge day={line.expiry_date} />
        <Caption className={styles.server}>
          <TypedText>{serverName}</TypedText> {line.sync_state === 'pending' && <Pending />}
        </Caption>
      </CardLine>
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
});

function CardActions({ line }: { line: Line }) {
  const { t } = useTranslation('lines');
  const { mutateAsync: reveal } = useRevealLine();
  return (
    <>
      <RenewButton line={line} variant="soft" />
      <CopyCredentialsButton
        label={t('copyCredentialsOf', { username: line.username })}
        blocked={useNeedsConnection()}
        line={line}
        getPassword={async () => (await reveal(line.id)).password}
      >
        {t('copy')}
      </CopyCredentialsButton>
      <MoreButton line={line} size="medium" />
    </>
  );
}
