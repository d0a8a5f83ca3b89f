import type { ActivityEntry } from '@linekeeper/contract/activity.ts';
import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronsDown } from 'lucide-react';
import { Fragment, type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActIcon } from '#domain/activity/act-icon.tsx';
import { type ActivityItem, groupActivity } from '#domain/activity/activity-items.ts';
import { useActText, useFactTexts, useFieldTexts, useNobodyText } from '#domain/activity/texts.ts';
import { LineLink } from '#domain/lines/line-link.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useMe } from '#platform/data/session.ts';
import { formatDate, formatTime } from '#platform/format/format-moment.ts';
import { useFindingText } from '#platform/i18n/use-finding-text.ts';

interface ActivityRowsProps {
  entries: readonly ActivityEntry[];
  isOldestFirst?: boolean;
}

/** The rows of an activity, by day. */
export function ActivityRows({ entries, isOldestFirst }: ActivityRowsProps) {
  const { i18n } = useTranslation();
  const items = isOldestFirst
    ? groupActivity(entries.toReversed()).toReversed()
    : groupActivity(entries);
  const dayOf = (index: number) => {
    const entry = items[index];
    return entry && formatDate(entry.created_at, i18n.language);
  };
  return (
    <ol>
      {items.map((entry, index) => (
        <Fragment key={entry.id}>
          {dayOf(index) !== dayOf(index - 1) && (
            <li className="pt-4 px-0 pb-2 type-strong first:pt-0" data-day>
              {dayOf(index)}
            </li>
          )}
          <ActivityRow entry={entry} />
        </Fragment>
      ))}
    </ol>
  );
}

interface EarlierButtonProps {
  activity: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  isOldestFirst?: boolean;
}

/** The button that fetches the next page of a history. Renders nothing on the last one. */
export function EarlierButton({ activity, isOldestFirst }: EarlierButtonProps) {
  const { t } = useTranslation('activity');
  if (!activity.hasNextPage) return null;
  return (
    <Button
      variant="soft"
      fullWidth
      icon={<ChevronsDown />}
      pending={activity.isFetchingNextPage}
      onClick={() => void activity.fetchNextPage()}
    >
      {t(isOldestFirst ? 'later' : 'earlier')}
    </Button>
  );
}

/** The look of the vertical line between the entries of a day. */
const THREAD =
  "before:content-[''] before:absolute before:inset-y-0 before:start-[95px] before:w-0.5 before:bg-divider [[data-day]+&]:before:top-6 [&:has(+[data-day])]:before:bottom-[calc(100%-24px)] last:before:bottom-[calc(100%-24px)] phone:before:start-[15px]";

interface ActivityRowProps {
  entry: ActivityItem;
}

function ActivityRow({ entry }: ActivityRowProps) {
  const { i18n } = useTranslation();
  const { source, action, created_at, moved } = entry;
  return (
    <li
      className={`${THREAD} grid grid-cols-[64px_32px_minmax(0,1fr)_auto] items-start gap-x-4 relative py-2 phone:grid-cols-[32px_minmax(0,1fr)_auto] phone:gap-x-3`}
    >
      <time
        className="pt-[7px] text-text-2 type-caption text-end phone:[grid-area:1/2] phone:p-0 phone:text-start"
        dateTime={created_at}
      >
        {formatTime(Date.parse(created_at), i18n.language)}
      </time>
      <span className="relative rounded-[8px] shadow-[0_0_0_4px_var(--color-paper)] phone:[grid-area:1/1/3]">
        <ActIcon action={source === 'push' ? 'push' : action} />
      </span>
      <div className="pt-[5px] phone:[grid-area:2_/_2] phone:p-0">
        <p className="font-semibold min-w-0 wrap-anywhere">
          <Title entry={entry} /> <Subject entry={entry} />
        </p>
        <About entry={entry} />
      </div>
      {moved && <Amount moved={moved} />}
    </li>
  );
}

function Title({ entry: { source, action, push } }: { entry: ActivityItem }) {
  const { t } = useTranslation('activity');
  const actText = useActText();
  if (source === 'transfer') return t(`transfers.${action}` as 'transfers.sale');
  if (!push) return actText(action);
  const server = push.server_name ?? t('deletedServer');
  return t(push.ok ? 'push.delivered' : 'push.failed', { server });
}

/** The subject of an action, with a link to it; empty for an account that changed itself. */
function Subject({ entry }: ActivityRowProps) {
  const opensServers = useMe().is_admin;
  const { subject_type, subject_id, subject_name, subject_exists, actor, source } = entry;
  const isLine = subject_type === 'line';
  const isSelf = subject_type === 'account' && subject_id === actor?.id;
  if (!subject_name || !subject_id || isSelf) return null;
  // The row below has the other account of a transfer.
  if (source === 'transfer' && !isLine) return null;
  const name = <TypedText>{subject_name}</TypedText>;
  const link = { params: { id: subject_id }, className: 'text-primary' };
  if (subject_exists && isLine)
    return (
      <LineLink id={subject_id} className="text-primary">
        {name}
      </LineLink>
    );
  if (subject_exists && subject_type === 'account') {
    return (
      <Link to="/accounts/$id" {...link}>
        {name}
      </Link>
    );
  }
  if (subject_exists && subject_type === 'server' && opensServers) {
    return (
      <Link to="/cccam-servers/$id" {...link}>
        {name}
      </Link>
    );
  }
  return name;
}

/** Changed fields of an account that the row shows, at most; Details has all of them. */
const CHANGES_SHOWN = 2;

/** The second row: the actor, the reason, and the result on the server. */
function About({ entry }: { entry: ActivityItem }) {
  const { t } = useTranslation('activity');
  const findingText = useFindingText();
  const fields = useFieldTexts();
  const factTexts = useFactTexts();
  const { source, action, actor, note, push, delivered, moved, facts, changes } = entry;
  const seconds = (ms: number) => Math.round(ms / 100) / 10;
  const nobodyText = useNobodyText();
  const by = actor ? (actor.name ?? t('recurring.otherAccount')) : nobodyText(action);
  const other = moved?.other && (moved.other.name ?? t('recurring.otherAccount'));
  const parts = [
    source !== 'push' && t('by', { name: by }),
    other && t(moved.amount > 0 ? 'fromAccount' : 'toAccount', { name: other }),
    // The transfer in the same row shows the credits already.
    ...factTexts(moved ? { ...facts, credits: null, cost: null } : facts, action),
    ...(action === 'account.edit' ? changes.slice(0, CHANGES_SHOWN) : []).map(
      ({ field, before, after }) =>
        `${fields.name(field)}: ${fields.value(field, before)} › ${fields.value(field, after)}`,
    ),
    note && t('quoted', { text: note }),
    delivered &&
      t('push.deliveredAfter', {
        server: delivered.server_name ?? t('deletedServer'),
        seconds: seconds(delivered.took_ms),
      }),
    push?.ok && t('push.after', { seconds: seconds(push.took_ms) }),
    push && push.failures > 0 && t('push.failures', { count: push.failures }),
    push && !push.ok && findingText(push.finding),
  ].filter((part): part is string => Boolean(part));
  return (
    <Details entry={entry}>
      {parts.map((part, index) => (
        <span key={part}>
          {index > 0 && ' · '}
          <TypedText>{part}</TypedText>
        </span>
      ))}
    </Details>
  );
}

/**
 * The second row, with a button at its end for the changed fields and, for administrators, the
 * address from which the change came.
 */
function Details({ entry, children }: { entry: ActivityItem; children: ReactNode }) {
  const { t } = useTranslation('activity');
  const id = useId();
  const fields = useFieldTexts();
  const [isOpen, setOpen] = useState(false);
  const { changes, address, request_id } = entry;
  if (changes.length === 0 && !address)
    return <p className="text-text-2 type-caption min-w-0 wrap-anywhere">{children}</p>;
  return (
    <>
      <p className="text-text-2 type-caption min-w-0 wrap-anywhere">
        {children}
        <button
          type="button"
          className="inline-flex items-center gap-1 ms-2 text-primary font-semibold py-3 -my-3 [&[aria-expanded=true]_svg]:[transform:rotate(180deg)]"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? t('hideDetails') : t('error.details')}
          <ChevronDown size={14} />
        </button>
      </p>
      <dl
        id={id}
        className="grid grid-cols-1 gap-1 py-3 px-4 rounded-[12px] bg-head mt-2 type-caption max-w-130 [&[hidden]]:hidden [&_dt]:text-neutral-fg [&_dd]:font-medium"
        hidden={!isOpen}
      >
        {changes.map(({ field, before, after }) => (
          <Detail key={field} name={fields.name(field)}>
            {field === 'password' ? (
              t('passwordChanged')
            ) : (
              <TypedText>{`${fields.value(field, before)} › ${fields.value(field, after)}`}</TypedText>
            )}
          </Detail>
        ))}
        {address && <Detail name={t('address')}>{address}</Detail>}
        {request_id && <Detail name={t('request')}>{request_id}</Detail>}
      </dl>
    </>
  );
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[120px_minmax(0,1fr)] gap-2 phone:grid-cols-1 phone:gap-0">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Amount({ moved }: { moved: NonNullable<ActivityItem['moved']> }) {
  const { t } = useTranslation('activity');
  const { amount, balance_after } = moved;
  const value = t('number', { value: Math.abs(amount) });
  return (
    <span
      className="pt-[5px] font-bold text-end whitespace-nowrap data-up:text-success-fg [&>small]:block phone:[grid-area:1_/_3_/_3] phone:p-0"
      data-up={amount > 0 || undefined}
    >
      {amount > 0 ? `+${value}` : `−${value}`}
      {balance_after !== null && (
        <small title={t('field.balanceAfter')}>= {t('number', { value: balance_after })}</small>
      )}
    </span>
  );
}
