import type { Day } from '@linekeeper/contract/dates.ts';
import { type StatusItem, statusColor } from '@linekeeper/contract/fields/line-fields.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useTranslation } from 'react-i18next';
import { Badge } from '#kit/ui/badge.tsx';
import { Caption, Row } from '#kit/ui/vocabulary.tsx';
import { useToday } from '#platform/data/settings.ts';
import { isolate } from '#platform/i18n/isolate.ts';
import { useStatusText } from '#platform/i18n/use-status-text.ts';
import { type LineStateName, stateOf, toneOfState } from './state.ts';
import { useSuspensionText } from './texts.ts';

type Dated = Pick<Line, 'status' | 'expiry_date' | 'is_trial'>;

/** What is said of a line in its chip, if its status alone would not be true. */
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
 * trials. Other labels were set by hand and stay.
 */
export function lineStatus(line: Dated, today: Day): StatusItem {
  const stored = line.status[0] ?? { label: 'active', color: statusColor('active') };
  if (stored.label.toLowerCase() !== 'active') return stored;
  if (line.expiry_date < today) return { label: 'expired', color: statusColor('expired') };
  return line.is_trial ? { label: 'trial', color: 'info' } : stored;
}

/** A line's state in a word or two. */
export function StatusBadge({ line }: { line: Line }) {
  const { t } = useTranslation();
  const state = stateOf(line, useToday());
  const chip = line.suspension ? undefined : chips[state];
  if (!chip) return <Labels line={line} />;
  return (
    <Badge tone={toneOfState(state)} wraps>
      {t(`line.chip.${chip}`)}
    </Badge>
  );
}

/** The first label, and the number of further ones; of a suspended line by whom, when and why. */
function Labels({ line }: { line: Line }) {
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
  const badge = (
    <Badge tone={color} {...(explanation ? { title: explanation } : {})}>
      {statusText(label)}
      {explanation && <span className="visually-hidden"> {explanation}</span>}
    </Badge>
  );
  if (others.length === 0) return badge;
  return (
    <Row as="span" inline gap={4}>
      {badge}
      <Caption title={others.join(', ')}>
        +{others.length}
        <span className="visually-hidden"> {others.join(', ')}</span>
      </Caption>
    </Row>
  );
}
