import { daysBetween, formatDay } from '@linekeeper/contract/dates.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import {
  CalendarX2,
  Check,
  CircleAlert,
  CircleHelp,
  CirclePause,
  Clock,
  ClockAlert,
  CloudAlert,
  FlaskConical,
  type LucideIcon,
  Send,
  ServerOff,
  TriangleAlert,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { expiryWords } from '#domain/lines/expiry.tsx';
import { placedBy } from '#domain/lines/placed.ts';
import { usePlacedText } from '#domain/lines/placed-text.ts';
import { type LineStateName, toneOfState } from '#domain/lines/state.ts';
import { BoldText } from '#kit/ui/bold-text.tsx';
import { IconTile } from '#kit/ui/icon-tile.tsx';
import { useToday } from '#platform/data/settings.ts';
import { formatSince } from '#platform/format/format-moment.ts';
import { isolate } from '#platform/i18n/isolate.ts';
import { useFindingText } from '#platform/i18n/use-finding-text.ts';
import type { LineFactsShown } from './use-line-facts.ts';

const icons: Record<LineStateName, LucideIcon> = {
  works: Check,
  trial: FlaskConical,
  pending: Send,
  away: ServerOff,
  awayLine: CloudAlert,
  awayChange: CloudAlert,
  notRead: Clock,
  notKnown: CircleHelp,
  refused: CircleAlert,
  nameTaken: CircleAlert,
  refusedChange: CircleAlert,
  lost: CircleAlert,
  worksAs: TriangleAlert,
  worksOn: TriangleAlert,
  formerStays: TriangleAlert,
  today: ClockAlert,
  ended: CalendarX2,
  longName: TriangleAlert,
  suspended: CirclePause,
};

interface StateProps {
  line: Line;
  facts: LineFactsShown;
}

/** The state of a line in one sentence, kept up to date. */
export function StateSentence(props: StateProps) {
  const { name } = props.facts;
  const Icon = icons[name];
  const sentence = useSentence(props);
  const about = useAbout(props);
  return (
    <div className="flex items-start gap-4 phone:gap-3" role="status">
      <IconTile tone={toneOfState(name)} isRound>
        <Icon size={20} />
      </IconTile>
      <div className="flex-1 min-w-0">
        <p className="type-card text-balance [&_b]:font-bold">
          <BoldText>{sentence}</BoldText>
        </p>
        {about && <p className="mt-0.5 text-text-2 type-caption min-w-0 wrap-anywhere">{about}</p>}
      </div>
    </div>
  );
}

/** States that mean that a server lacks the line. */
const lacking: readonly LineStateName[] = [
  'pending',
  'awayLine',
  'awayChange',
  'refused',
  'refusedChange',
];

const isOnSome = ({ servers, suspension }: Line): boolean =>
  suspension === null && servers.length > 1 && placedBy(servers).taken.length > 0;

/** Returns the sentence about the line's state that is complete with the known facts. */
function useSentence({ line, facts }: StateProps): string {
  const { t, i18n } = useTranslation('line');
  const { language } = i18n;
  const today = useToday();
  const { name, serverName, delivered_at } = facts;
  const placed = usePlacedText(line);
  // If one of several servers lacks the line, its customer can still connect to the others.
  if (placed && isOnSome(line) && lacking.includes(name)) return placed;
  // The names of servers may still be loading.
  const server = serverName || '…';
  const day = formatDay(line.expiry_date);
  const time = (moment: string) => formatSince(Date.parse(moment), language);
  switch (name) {
    case 'works':
    case 'trial':
      return serverName && delivered_at
        ? t(`state.${name}Delivered`, { day, server, time: time(delivered_at) })
        : t(`state.${name}`, { day });
    case 'ended':
      return t('state.ended', {
        day,
        ago: expiryWords(daysBetween(today, line.expiry_date), language),
      });
    case 'away':
      return t(line.is_trial ? 'state.awayTrial' : 'state.away', {
        ...{ day, server, time: time(facts.awaySince) },
      });
    case 'awayLine':
      return t('state.awayLine', { server, time: time(facts.awaySince) });
    case 'awayChange':
      return t(line.suspension ? 'state.awaySuspension' : 'state.awayChange', {
        ...{ server, time: time(facts.awaySince) },
      });
    case 'worksAs':
    case 'worksOn':
    case 'formerStays': {
      const { works_as = '', works_on = '' } = line.sync_finding?.data ?? {};
      return t(`state.${name}`, { day, name: works_as, server: works_on });
    }
    case 'refusedChange':
      return t(line.suspension ? 'state.refusedSuspension' : 'state.refusedChange', { server });
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

/** Returns the sentence that follows the state of a line: its reason, or what happens next. */
function useAbout({ line, facts }: StateProps): string {
  const { t, i18n } = useTranslation('line');
  const findingText = useFindingText();
  const receiver = useReceiverText({ line, facts });
  const today = useToday();
  const server = facts.serverName;
  const day = formatDay(line.expiry_date);
  const left = expiryWords(daysBetween(today, line.expiry_date), i18n.language);
  const isRead = line.taken === 'taken' && facts.receiver !== 'online' && server;
  const read = isRead && t('about.read', { server });
  const join = (...parts: unknown[]) => parts.filter(Boolean).join(' · ');
  switch (facts.name) {
    case 'works':
      return join(left.charAt(0).toLocaleUpperCase(i18n.language) + left.slice(1), read, receiver);
    case 'trial':
      return join(t('about.trial'), receiver);
    case 'pending':
    case 'notRead':
      return '';
    case 'notKnown':
      return join(t('about.paidUntil', { day }), receiver);
    case 'away':
      return receiver;
    case 'awayLine':
    case 'awayChange':
      return join(t('about.paidUntil', { day }), line.suspension && t('about.stillConnects'));
    case 'worksAs':
    case 'worksOn':
    case 'formerStays':
      return findingText(line.sync_finding);
    case 'refused':
    case 'nameTaken':
    case 'refusedChange': {
      const name = line.sync_finding?.data.works_as;
      return join(
        findingText(line.sync_finding),
        line.suspension &&
          (name ? t('about.stillConnectsAs', { name: name }) : t('about.stillConnects')),
      );
    }
    case 'lost':
      return t('about.paidUntil', { day });
    case 'today':
      return join(t('about.today'), receiver);
    case 'ended':
      return t('about.fromToday');
    case 'longName':
      return join(t('about.worksUntil', { day }), receiver);
    case 'suspended':
      return join(
        line.suspension?.reason && isolate(line.suspension.reason),
        line.suspension?.cause && t('about.shared'),
        line.taken === 'waiting' && t('about.stillConnects'),
        t('about.daysRunOn', { day }),
      );
  }
}

/** Returns a text about the receiver: online, or the time when it last was; '' if neither is known. */
function useReceiverText({ line, facts: { receiver } }: StateProps): string {
  const { t, i18n } = useTranslation('line');
  const { since, last_seen_at } = line.presence;
  const time = (moment: string) => formatSince(Date.parse(moment), i18n.language);
  switch (receiver) {
    case 'online':
      return since ? t('receiver.online', { time: time(since) }) : t('presence.online');
    case 'never':
      return t('receiver.never');
    case 'oldPassword':
    case 'offline':
      return last_seen_at ? t(`receiver.${receiver}`, { time: time(last_seen_at) }) : '';
    case null:
      return last_seen_at ? t('receiver.offline', { time: time(last_seen_at) }) : '';
  }
}
