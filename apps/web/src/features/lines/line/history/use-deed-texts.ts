import { formatDay } from '@linekeeper/contract/dates.ts';
import { useTranslation } from 'react-i18next';
import type { ActivityItem } from '#domain/activity/activity-items.ts';
import { useActText, useFieldTexts } from '#domain/activity/texts.ts';
import { useMe } from '#platform/data/session.ts';
import { isolate } from '#platform/i18n/isolate.ts';

type Change = ActivityItem['changes'][number];

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : '–');
const changed = ({ changes }: ActivityItem, field: string): Change | undefined =>
  changes.find((change) => change.field === field && change.before !== change.after);

/** Fields that follow from others, or that the act's sentence already contains. */
const untold = [
  'plan_id',
  'owner_id',
  'server_id',
  'username',
  'password',
  'host_port',
  'updated_at',
];

/** Returns an act as a sentence about its actor and effect, and its details. */
export function useDeedTexts(deed: ActivityItem) {
  const { t } = useTranslation('line');
  const { id } = useMe();
  const { actor, source, note } = deed;
  const sentences = useSentences(deed);
  const name = actor ? (actor.name ?? t('recurring.otherAccount')) : t('recurring.panel');
  const who = isolate(actor?.id === id ? t('history.you') : name);
  return {
    who: name,
    sentence: source === 'transfer' ? sentences.ofTransfer(who) : sentences.ofAct(who),
    details: [daysOf(deed, (day) => t('until', { day })), note && isolate(note)]
      .filter(Boolean)
      .join(' · '),
  };
}

/** The days before and after a change, such as '26-11-2026 › 26-12-2026'. */
function daysOf(deed: ActivityItem, until: (day: string) => string): string {
  const days = deed.changes.find(({ field }) => field === 'expiry_date');
  const [before, after] = [days?.before, days?.after];
  if (typeof after === 'string') {
    return typeof before === 'string'
      ? `${formatDay(before)} › ${formatDay(after)}`
      : until(formatDay(after));
  }
  return '';
}

function useSentences(deed: ActivityItem) {
  const { t } = useTranslation('line');
  const actText = useActText();
  const fields = useFieldTexts();
  const price = usePrice(deed);
  const ofEdit = (who: string): string => {
    const [plan, server, owner, name] = ['plan_id', 'server_id', 'owner_id', 'username'].map(
      (field) => changed(deed, field),
    );
    const fromTo = ({ before, after }: Change) => ({
      who,
      from: isolate(text(before)),
      to: isolate(text(after)),
    });
    if (plan) return t('deed.changedPlan', fromTo(plan));
    if (server) return t('deed.moved', fromTo(server));
    if (owner) return t('deed.gaveAway', fromTo(owner));
    if (name) return t('deed.renamed', fromTo(name));
    if (deed.changes.some(({ field }) => field === 'password')) return t('deed.password', { who });
    const others = deed.changes.filter(({ field }) => !untold.includes(field));
    if (others.length === 0) return t('deed.edited', { who });
    if (others.every(({ field }) => field === 'expiry_date')) return t('deed.expiry', { who });
    return t('deed.changed', {
      who,
      fields: others.map(({ field }) => fields.name(field)).join(', '),
    });
  };
  const ofAct = (who: string): string => {
    switch (deed.action) {
      case 'line.create':
        if (changed(deed, 'is_trial')?.after === true) return t('deed.trial', { who });
        return price ? t('deed.soldFor', { who, what: price }) : t('deed.sold', { who });
      case 'line.import':
        return t('deed.imported', { who });
      case 'line.renew':
        return price ? t('deed.renewedFor', { who, what: price }) : t('deed.renewed', { who });
      case 'line.edit':
      case 'line.move':
      case 'line.change_plan':
        return ofEdit(who);
      case 'line.adopt':
        return t('deed.adopted', { who });
      case 'line.suspend':
        return t('deed.suspended', { who });
      case 'line.resume':
        return t('deed.resumed', { who });
      case 'line.undo':
        return t('deed.undone', { who });
      case 'line.reveal':
        return t('deed.revealed', { who });
      case 'line.export':
        return t('deed.exported', { who });
      default:
        return t('deed.did', { who, act: actText(deed.action) });
    }
  };
  const ofTransfer = (who: string): string => {
    const credits = t('credits.amount', { count: Math.abs(deed.transfer?.amount ?? 0) });
    return t(deed.action === 'refund' ? 'deed.refunded' : 'deed.paid', { who, credits });
  };
  return { ofAct, ofTransfer };
}

/** Returns what an act cost, such as '1 month, 2 credits'. Parts that are not known are left out. */
function usePrice({ facts, cost, changes }: ActivityItem): string {
  const { t } = useTranslation('line');
  const months =
    facts.months ?? Number(changes.find(({ field }) => field === 'subscription_months')?.after);
  return [
    months > 0 && t('credits.months', { count: months }),
    cost !== null && cost > 0 && t('credits.amount', { count: cost }),
  ]
    .filter(Boolean)
    .join(', ');
}
