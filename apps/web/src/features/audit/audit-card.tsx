import type { AuditEntry } from '@linekeeper/contract/audit.ts';
import type { CardProps } from '../../shared/list/list-rows.tsx';
import { RowCard } from '../../shared/list/table/cards.tsx';
import { Timestamp } from '../../shared/ui/timestamp.tsx';
import styles from './audit.module.css';
import { Act, ActorName, SubjectLink, Summary } from './audit-cells.tsx';

/** An entry in the list of a phone: what was done and when, below it by whom and to what. */
export function AuditCard({ row: entry, opener, detail }: CardProps<AuditEntry>) {
  const { actor_id, subject_id } = entry;
  return (
    <RowCard
      name={<Act entry={entry} />}
      badge={
        <span className={styles.moment}>
          <Timestamp value={entry.created_at} />
        </span>
      }
      actions={null}
    >
      <div className={styles.about}>
        <p>
          {/* Who changed their own account is named once. */}
          {actor_id !== subject_id && <ActorName entry={entry} />}
          <SubjectLink entry={entry} />
          <Summary entry={entry} />
        </p>
        {opener}
      </div>
      {detail}
    </RowCard>
  );
}
