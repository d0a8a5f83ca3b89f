import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useTranslation } from 'react-i18next';
import { formatMoment } from '../format-moment.ts';
import { isolate } from '../i18n/isolate.ts';

/** By whom and when a line was suspended. Whoever stands above the reader is not named. */
export function useSuspensionText(): (suspension: NonNullable<Line['suspension']>) => string {
  const { t, i18n } = useTranslation();
  return ({ at, by, can_resume }) => {
    const time = formatMoment(at, i18n.language);
    if (by) return t('line.suspension.by', { by: isolate(by), time });
    return t(can_resume ? 'line.suspension.at' : 'line.suspension.fromAbove', { time });
  };
}
