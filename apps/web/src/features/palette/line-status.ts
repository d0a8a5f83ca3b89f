import { statusColor } from '@linekeeper/contract/line-fields.ts';
import { type Line, lineStatuses } from '@linekeeper/contract/lines.ts';
import { useTranslation } from 'react-i18next';
import { useToday } from '../../shared/settings.ts';

/** A line's status as the list of lines shows it: what has run out is expired, whatever it is called. */
export function useLineStatus() {
  const { t } = useTranslation('palette');
  const today = useToday();
  return ({ expiry_date, status: [first] }: Line) => {
    const label = first?.label === 'active' && expiry_date < today ? 'expired' : first?.label;
    if (!label) return undefined;
    const known = lineStatuses.find((status) => status === label.toLowerCase());
    return { tone: statusColor(label), text: known ? t(`status.${known}`) : label };
  };
}
