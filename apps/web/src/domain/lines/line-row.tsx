import { formatDay } from '@linekeeper/contract/dates.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { ChevronRight, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useSearchText } from '#kit/list/found.tsx';
import type { CardProps } from '#kit/list/table/responsive-table.tsx';
import { Highlight } from '#kit/ui/highlight.tsx';
import { useMe } from '#platform/data/session.ts';
import { useToday } from '#platform/data/settings.ts';
import { shownText } from '#platform/i18n/isolate.ts';
import { DaysLeft } from './expiry.tsx';
import { MatchBesideName } from './hidden-match.tsx';
import { LineLink } from './line-link.tsx';
import { OnlineText } from './presence.tsx';
import { isOrdinary, StatusBadge } from './status.tsx';
import { Pending, ServerName } from './sync.tsx';

interface LineRowProps extends Pick<CardProps<Line>, 'row' | 'box' | 'isSelected'> {
  /** A text instead of the day on which the line expires. */
  since?: string;
}

/** A line in a phone's list. The whole row opens it. */
export function LineRow({ row: line, box, isSelected, since }: LineRowProps) {
  const { t } = useTranslation();
  const q = useSearchText();
  const me = useMe();
  const today = useToday();
  // For an administrator, other owners are normal and not marked.
  const isOthers = !me.is_admin && line.owner_id !== me.id;
  return (
    <li
      className="relative flex items-center gap-2.5 min-h-16 pt-2 pr-3 pb-2 pl-4 data-selected:bg-selected [&>svg]:flex-none [&>svg]:text-icon"
      data-selected={isSelected || undefined}
    >
      {box && (
        <span className="relative z-1 grid self-stretch w-11 -mt-2 -mr-2.5 -mb-2 ml-[-13px]">
          {box}
        </span>
      )}
      <OnlineText presence={line.presence} isDot />
      <span className="flex-1 min-w-0">
        <LineLink
          id={line.id}
          className="covers block text-inherit type-[600_16px/24px_var(--font)] wrap-anywhere"
        >
          <Highlight text={line.username} part={q} />
        </LineLink>
        <span className="text-text-2 type-caption min-w-0 wrap-anywhere">
          {since ?? <time dateTime={line.expiry_date}>{formatDay(line.expiry_date)}</time>} ·{' '}
          {isOthers && <>{shownText(line.owner_name || line.owner_email)} · </>}
          <ServerName id={line.server_id} wraps /> {line.sync_state === 'pending' && <Pending />}
          {line.name_problem && (
            <TriangleAlert
              size={16}
              className="inline align-text-bottom text-warning-fg"
              role="img"
              aria-label={t(`line.name.${line.name_problem}`)}
            />
          )}
        </span>
        {q && <MatchBesideName line={line} q={q} />}
      </span>
      {isOrdinary(line, today) ? <DaysLeft day={line.expiry_date} /> : <StatusBadge line={line} />}
      <ChevronRight size={16} aria-hidden="true" />
    </li>
  );
}
