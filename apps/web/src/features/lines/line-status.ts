import type { Day } from '@linekeeper/contract/dates.ts';
import { type StatusItem, statusColor } from '@linekeeper/contract/line-fields.ts';
import type { Line } from '@linekeeper/contract/lines.ts';

/**
 * What a line's status is today: the stored label says "active" also when the line has run out
 * or is a trial. Labels other than active were set by hand and stay.
 */
export function lineStatus(line: Line, today: Day): StatusItem {
  const stored = line.status[0] ?? { label: 'active', color: statusColor('active') };
  if (stored.label.toLowerCase() !== 'active') return stored;
  if (line.expiry_date < today) return { label: 'expired', color: statusColor('expired') };
  return line.is_trial ? { label: 'trial', color: 'info' } : stored;
}
