import type { Day } from '@linekeeper/contract/dates.ts';
import { type StatusItem, statusColor } from '@linekeeper/contract/fields/line-fields.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useTranslation } from 'react-i18next';
import { Badge } from '#kit/ui/badge.tsx';
import { useToday } from '#platform/data/settings.ts';
import { isolate } from '#platform/i18n/isolate.ts';
import { useStatusText } from '#platform/i18n/use-status-text.ts';
import { type LineStateName, stateOf, toneOfState } from './state.ts';
import { useSuspensionText } from './texts.ts';

type Dated = Pick<Line, 'status' | 'expiry_date' | 'is_trial'>;

/** Labels of a line's chip, for states in which its status alone would be wrong. */
const chips: Partial<
  Record<LineStateName, 'away' | 'notOnServer' | 'notChanged' | 'notRead' | 'notKnown'>
> = {
  away: 'away',
  awayLine: 'away',
  awayChange: 'away',
  refused: 'notOnServer',
  nameTaken: 'notOnServer',
  lost: 'notOnServer',
  refusedChange: 'notChanged',
  worksAs: 'notChanged',
  worksOn: 'notChanged',
  notRead: 'notRead',
  notKnown: 'notKnown',
};

/**
 * The status of a line to show today: the stored label "active" is replaced for expired lines and
 * trials. People have set the other labels, which stay.
 */
export function lineStatus(line: Dated, today: Day): StatusItem {
  const stored = line.status[0] ?? { label: 'active', color: statusColor('active') };
  if (stored.label.toLowerCase() !== 'active') return stored;
  if (line.expiry_date < today) return { label: 'expired', color: statusColor('expired') };
  return line.is_trial ? { label: 'trial', color: 'info' } : stored;
}

/** Labels that only repeat the line's expiry date. */
const ordinary = ['active', 'trial', 'expired'];

/** True if a line needs no status beside its expiry date, because it simply works until that date. */
export function isOrdinary(line: Line, today: Day): boolean {
  if (line.suspension || chips[stateOf(line, today)] || line.status.length > 1) return false;
  return ordinary.includes(lineStatus(line, today).label.toLowerCase());
}

/**
 * The state of a line in one or two words. In a row, which also shows the day, an ordinary state is plain text.
 */
export function StatusBadge({ line, isInRow = false }: { line: Line; isInRow?: boolean }) {
  const { t } = useTranslation();
  const today = useToday();
  const state = stateOf(line, today);
  const chip = line.suspension ? undefined : chips[state];
  if (!chip) return <Labels line={line} quiet={isInRow && isOrdinary(line, today)} />;
  return (
    <Badge tone={toneOfState(state)} wraps>
      {t(`line.chip.${chip}`)}
    </Badge>
  );
}

/** The first label, and the number of further ones; for a suspended line, its reason, actor and time. */
function Labels({ line, quiet }: { line: Line; quiet: boolean }) {
  const statusText = useStatusText();
  const { label, color } = lineStatus(line, useToday());
  const others = line.status.slice(1).map((item) => statusText(item.label));
  const suspensionText = useSuspensionText();
  const { suspension } = line;
  const why = suspension && [
    suspensionText(suspension),
    suspension.reason && isolate(suspension.reason),
  ];
  const explanation = why?.filter(Boolean).join('\n');
  if (quiet) return <span className="text-text-2">{statusText(label)}</span>;
  const badge = (
    <Badge tone={color} {...(explanation ? { title: explanation } : {})}>
      {statusText(label)}
      {explanation && <span className="visually-hidden"> {explanation}</span>}
    </Badge>
  );
  if (others.length === 0) return badge;
  return (
    <span className="inline-flex items-center gap-1">
      {badge}
      <span className="text-text-2 type-caption" title={others.join(', ')}>
        +{others.length}
        <span className="visually-hidden"> {others.join(', ')}</span>
      </span>
    </span>
  );
}
