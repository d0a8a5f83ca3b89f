import type { AuditEntry } from '@linekeeper/contract/audit.ts';
import { RowCard } from '../../shared/list/table/cards.tsx';
import type { CardProps } from '../../shared/list/table/responsive-table.tsx';
import { Timestamp } from '../../shared/ui/timestamp.tsx';
import { Caption, Row } from '../../shared/ui/vocabulary.tsx';
import styles from './audit.module.css';
import { Act, ActorName, SubjectLink, Summary } from './audit-cells.tsx';

/** An entry in the list of a phone: what was done and when, below it by whom and to what. */
export function AuditCard({ row: entry, opener, detail }: CardProps<AuditEntry>) {
  const { actor_id, subject_id } = entry;
  return (
    <RowCard
      name={<Act entry={entry} />}
      badge={
        <Caption>
          <Timestamp value={entry.created_at} />
        </Caption>
      }
      actions={null}
    >
      <Row gap={8} justify="between" className={styles.about}>
        <p>
          {/* Who changed their own account is named once. */}
          {actor_id !== subject_id && <ActorName entry={entry} />}
          <SubjectLink entry={entry} />
          <Summary entry={entry} />
        </p>
        {opener}
      </Row>
      {detail}
    </RowCard>
  );
}
