import type { Day } from '@linekeeper/contract/dates.ts';
import { type StatusItem, statusColor } from '@linekeeper/contract/fields/line-fields.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useToday } from '../data/settings.ts';
import { isolate } from '../i18n/isolate.ts';
import { useStatusText } from '../i18n/use-status-text.ts';
import { Badge } from '../ui/badge.tsx';
import { Caption, Row } from '../ui/vocabulary.tsx';
import { useSuspensionText } from './texts.ts';

type Dated = Pick<Line, 'status' | 'expiry_date' | 'is_trial'>;
type Shown = Dated & Pick<Line, 'suspension'>;

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

/** The first label, and the number of further ones; of a suspended line by whom, when and why. */
export function StatusBadge({ line }: { line: Shown }) {
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
