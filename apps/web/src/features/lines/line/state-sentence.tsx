import { daysBetween, formatDay } from '@linekeeper/contract/dates.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import {
  CalendarX2,
  Check,
  CircleAlert,
  CirclePause,
  Clock,
  ClockAlert,
  CloudAlert,
  FlaskConical,
  type LucideIcon,
  Send,
  TriangleAlert,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useToday } from '../../../shared/data/settings.ts';
import { formatSince } from '../../../shared/format/format-moment.ts';
import { isolate } from '../../../shared/i18n/isolate.ts';
import { useFindingText } from '../../../shared/i18n/use-finding-text.ts';
import { expiryWords } from '../../../shared/lines/expiry.tsx';
import { BoldText } from '../../../shared/ui/bold-text.tsx';
import { IconTile } from '../../../shared/ui/icon-tile.tsx';
import { Caption, Row, Text } from '../../../shared/ui/vocabulary.tsx';
import styles from './line.module.css';
import { type LineStateName, toneOfState } from './state.ts';
import type { LineFactsShown } from './use-line-facts.ts';

const icons: Record<LineStateName, LucideIcon> = {
  works: Check,
  trial: FlaskConical,
  pending: Send,
  notRead: Clock,
  away: CloudAlert,
  awayChange: CloudAlert,
  refused: CircleAlert,
  refusedChange: CircleAlert,
  lost: CircleAlert,
  today: ClockAlert,
  ended: CalendarX2,
  longName: TriangleAlert,
  suspended: CirclePause,
};

interface StateProps {
  line: Line;
  facts: LineFactsShown;
}

/** The state of a line in one sentence, which changes by itself. */
export function StateSentence(props: StateProps) {
  const { name } = props.facts;
  const Icon = icons[name];
  const sentence = useSentence(props);
  const about = useAbout(props);
  return (
    <Row align="start" gap={16} phoneGap={12} role="status">
      <IconTile tone={toneOfState(name)} isRound>
        <Icon size={20} />
      </IconTile>
      <Text as="div" grow>
        <p className={styles.sentence}>
          <BoldText>{sentence}</BoldText>
        </p>
        {about && (
          <Caption as="p" wraps above={2}>
            {about}
          </Caption>
        )}
      </Text>
    </Row>
  );
}

/** Which of the sentences is whole with what is known. */
function useSentence({ line, facts }: StateProps): string {
  const { t, i18n } = useTranslation('line');
  const { language } = i18n;
  const today = useToday();
  const { name, serverName, delivered_at } = facts;
  const server = serverName;
  const day = formatDay(line.expiry_date);
  const time = (moment: string) => formatSince(Date.parse(moment), language);
  switch (name) {
    case 'works':
    case 'trial':
      if (!server) return t(`state.${name}`, { day });
      return delivered_at
        ? t(`state.${name}Delivered`, { day, server, time: time(delivered_at) })
        : t(`state.${name}On`, { day, server });
    case 'today':
      return server ? t('state.todayOn', { server }) : t('state.today');
    case 'ended':
      return t('state.ended', {
        day,
        ago: expiryWords(daysBetween(today, line.expiry_date), language),
      });
    case 'pending':
      return facts.pending_since
        ? t('state.pendingSince', { server, time: time(facts.pending_since) })
        : t('state.pending', { server });
    case 'notRead':
      return delivered_at
        ? t('state.notReadDelivered', { server, time: time(delivered_at) })
        : t('state.notRead', { server });
    case 'away':
    case 'awayChange':
      return t(`state.${name}`, { server, time: time(facts.awaySince) });
    case 'suspended':
      return suspended(line, time, t);
    default:
      return t(`state.${name}`, { server });
  }
}

function suspended(
  { suspension }: Line,
  time: (moment: string) => string,
  t: ReturnType<typeof useTranslation<'line'>>['t'],
): string {
  const { at = '', by = null, can_resume = true, cause, until } = suspension ?? {};
  if (cause && until) return t('state.suspendedShared', { until: time(until) });
  if (by) return t('state.suspendedBy', { by, time: time(at) });
  return t(can_resume ? 'state.suspended' : 'state.suspendedAbove', { time: time(at) });
}

/** The line below: why, or what comes next. */
function useAbout({ line, facts }: StateProps): string {
  const { t, i18n } = useTranslation('line');
  const findingText = useFindingText();
  const today = useToday();
  const day = formatDay(line.expiry_date);
  const left = expiryWords(daysBetween(today, line.expiry_date), i18n.language);
  switch (facts.name) {
    case 'works': {
      const words = left.charAt(0).toLocaleUpperCase(i18n.language) + left.slice(1);
      const read = facts.server && t('about.read', { server: facts.serverName });
      return [words, facts.hasReadAll && read].filter(Boolean).join(' · ');
    }
    case 'trial':
      return t('about.trial');
    case 'pending':
      return t('about.fewSeconds');
    case 'notRead':
      return t('about.willRead');
    case 'away':
    case 'awayChange':
      return t('about.paidUntil', { day });
    case 'refused':
    case 'refusedChange':
      return findingText(line.sync_finding);
    case 'lost':
      return t('about.paidUntil', { day });
    case 'today':
      return t('about.today');
    case 'ended':
      return t('about.fromToday');
    case 'longName':
      return t('about.worksUntil', { day });
    case 'suspended':
      return [
        line.suspension?.reason && isolate(line.suspension.reason),
        line.suspension?.cause && t('about.shared'),
        t('about.daysRunOn', { day }),
      ]
        .filter(Boolean)
        .join(' · ');
  }
}
