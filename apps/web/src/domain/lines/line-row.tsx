import { formatDay } from '@linekeeper/contract/dates.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { ChevronRight } from 'lucide-react';
import { useSearchText } from '#kit/list/found.tsx';
import type { CardProps } from '#kit/list/table/responsive-table.tsx';
import { Highlight } from '#kit/ui/highlight.tsx';
import { Caption } from '#kit/ui/vocabulary.tsx';
import { useMe } from '#platform/data/session.ts';
import { useToday } from '#platform/data/settings.ts';
import { shownText } from '#platform/i18n/isolate.ts';
import { DaysLeft } from './expiry.tsx';
import { MatchBesideName } from './hidden-match.tsx';
import { LineLink } from './line-link.tsx';
import styles from './line-row.module.css';
import { OnlineText } from './presence.tsx';
import { isOrdinary, StatusBadge } from './status.tsx';
import { Pending, ServerName } from './sync.tsx';

interface LineRowProps extends Pick<CardProps<Line>, 'row' | 'box' | 'isSelected'> {
  /** Said in place of the day on which the line ends. */
  since?: string;
}

/** A line in a phone's list: all of the row opens it. */
export function LineRow({ row: line, box, isSelected, since }: LineRowProps) {
  const q = useSearchText();
  const me = useMe();
  const today = useToday();
  // To administrators all lines are others'.
  const isOthers = !me.is_admin && line.owner_id !== me.id;
  return (
    <li className={styles.row} data-selected={isSelected || undefined}>
      {box && <span className={styles.box}>{box}</span>}
      <OnlineText presence={line.presence} isDot />
      <span className={styles.text}>
        <LineLink id={line.id} className={`covers ${styles.name}`}>
          <Highlight text={line.username} part={q} />
        </LineLink>
        <Caption wraps>
          {since ?? <time dateTime={line.expiry_date}>{formatDay(line.expiry_date)}</time>} ·{' '}
          {isOthers && <>{shownText(line.owner_name || line.owner_email)} · </>}
          <ServerName id={line.server_id} wraps /> {line.sync_state === 'pending' && <Pending />}
        </Caption>
        {q && <MatchBesideName line={line} q={q} />}
      </span>
      {isOrdinary(line, today) ? <DaysLeft day={line.expiry_date} /> : <StatusBadge line={line} />}
      <ChevronRight size={16} aria-hidden="true" />
    </li>
  );
}
