import { ISSUANCE, SALES } from '@linekeeper/contract/accounts/accounts.ts';
import type { ListedTransfer } from '@linekeeper/contract/credits/transfers.ts';
import { formatDay } from '@linekeeper/contract/dates.ts';
import { useTranslation } from 'react-i18next';
import { ActIcon } from '#domain/activity/act-icon.tsx';
import { LineLink } from '#domain/lines/line-link.tsx';
import { TwoLineCell } from '#kit/list/two-line-cell.tsx';
import { useListSearch } from '#kit/list/use-list.ts';
import { Avatar } from '#kit/ui/avatar.tsx';
import { Badge } from '#kit/ui/badge.tsx';
import { Highlight } from '#kit/ui/highlight.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useCan, useMe } from '#platform/data/session.ts';
import { formatDate } from '#platform/format/format-moment.ts';
import { isolate } from '#platform/i18n/isolate.ts';

interface TransferProps {
  transfer: ListedTransfer;
}

interface WhatAndWhyProps extends TransferProps {
  /** The account from whose side the transfer is described: the other account is named, too. */
  of?: string | null;
  /** Names the actor, unless it is this account or has been named already. */
  unlessBy?: string;
}

/** The kind and the line of a transfer, and below them its purpose and note. Matches of the search are marked. */
export function WhatAndWhy({ transfer, of = null, unlessBy }: WhatAndWhyProps) {
  const { t } = useTranslation('activity');
  const q = useListSearch().search.q?.trim() ?? '';
  const { t: credits } = useTranslation('credits');
  const { kind, note, refunded_at, bundle } = transfer;
  const bundleText = useBundleText();
  const other = useOtherParty(transfer, of);
  const actor = useOtherActor(transfer, unlessBy);
  const title = [other, actor, note].filter(Boolean).join(' · ');
  return (
    <TwoLineCell
      lead={<ActIcon action={kind} />}
      first={
        <span className="flex items-center flex-wrap gap-y-0 gap-x-2 min-w-0 [&>b]:overflow-hidden [&>b]:max-w-full [&>b]:text-ellipsis [&>:not(b)]:flex-none [[data-density=compact]_&]:flex-nowrap">
          <b>
            {bundle ? (
              bundleText(transfer)
            ) : (
              <>
                {t(`transfers.${kind}`)} <LineName transfer={transfer} />
              </>
            )}
          </b>
          {refunded_at && !bundle && <Badge tone="neutral">{credits('field.refunded')}</Badge>}
        </span>
      }
      second={
        <>
          {!bundle && <Facts transfer={transfer} />}
          {title && (
            <small title={isolate(title)}>
              {[other, actor].filter(Boolean).join(' · ')}
              {(other || actor) && note && ' · '}
              {note && <Highlight text={note} part={q} />}
            </small>
          )}
        </>
      }
    />
  );
}

/** Returns the content of a bundle in words, such as "43 renewals". */
export function useBundleText(): (transfer: ListedTransfer) => string {
  const { t } = useTranslation('credits');
  return ({ kind, bundle }) => {
    const known = kinds.find((one) => one === kind) ?? 'transfer';
    return t(`bundle.${known}`, { count: bundle?.count ?? 1 });
  };
}
const kinds = ['sale', 'renewal', 'refund'] as const;

/** The facts of a transfer: the period that was paid for, the transfer that was refunded, or the redeemed code. */
export function Facts({ transfer }: TransferProps) {
  const { t, i18n } = useTranslation('credits');
  const { kind, username, months, expiry_date, refunds, code } = transfer;
  const facts = [
    // A sale without a username is an activation code: it is paid before its line is created.
    kind === 'sale' && username === null && t('field.activationcode'),
    refunds &&
      t(`refundOf.${refunds.kind === 'sale' ? 'sale' : 'renewal'}`, {
        day: formatDate(refunds.created_at, i18n.language),
      }),
    months !== null &&
      expiry_date &&
      t('term', {
        months: t('credits.months', { count: months }),
        day: formatDay(expiry_date),
      }),
    code,
  ].filter((fact) => typeof fact === 'string');
  return facts.map((fact) => (
    <small key={fact} title={isolate(fact)}>
      <TypedText>{fact}</TypedText>
    </small>
  ));
}

const betweenAccounts = ['transfer', 'take_back'];

/** Returns the name of the other account of a transfer; '' if there is none. */
function useOtherParty(transfer: ListedTransfer, of: string | null): string {
  const { t } = useTranslation('activity');
  const nameOf = usePartyName();
  const { kind, from_id, from_name, to_id, to_name } = transfer;
  const isSystem = [from_id, to_id].some((id) => id === ISSUANCE || id === SALES);
  if (!of || isSystem || !betweenAccounts.includes(kind)) return '';
  return of === to_id
    ? t('fromAccount', { name: nameOf(from_id, from_name) })
    : t('toAccount', { name: nameOf(to_id, to_name) });
}

/** Returns the actor's name, unless the actor is a party of the transfer or hidden from the reader; otherwise ''. */
function useOtherActor(transfer: ListedTransfer, unlessBy: string | undefined): string {
  const { t } = useTranslation('activity');
  const { actor_id, actor_name, from_id, to_id } = transfer;
  if (!unlessBy || !actor_id || !actor_name) return '';
  if ([unlessBy, from_id, to_id].includes(actor_id)) return '';
  return t('by', { name: actor_name });
}

export function LineName({ transfer: { line_id, username, line_exists } }: TransferProps) {
  const opensLines = useCan(['view_users']);
  const q = useListSearch().search.q?.trim() ?? '';
  if (!username) return null;
  const name = <Highlight text={username} part={q} />;
  if (!line_exists || !line_id || !opensLines) return name;
  return <LineLink id={line_id}>{name}</LineLink>;
}

/** Returns the name of a party of a transfer; "another account" if the signed-in account may not see it. */
export function usePartyName(): (id: string | null, name: string | null) => string {
  const { t } = useTranslation('credits');
  const { t: activity } = useTranslation('activity');
  return (id, name) => {
    if (id === null) return activity('recurring.panel');
    if (id === ISSUANCE) return t('issuance');
    if (id === SALES) return t('recurring.sales');
    return name ?? activity('recurring.otherAccount');
  };
}

export function Parties({ transfer }: TransferProps) {
  const { t } = useTranslation('activity');
  const nameOf = usePartyName();
  const { from_id, from_name, to_id, to_name } = transfer;
  const from = nameOf(from_id, from_name);
  const to = nameOf(to_id, to_name);
  return (
    <span className="grid grid-cols-1 text-text-2 type-caption min-w-0 [&>span]:overflow-hidden [&>span]:text-ellipsis [[data-density=compact]_&]:flex [[data-density=compact]_&]:gap-2">
      <span title={isolate(from)}>{t('fromAccount', { name: from })}</span>
      <span title={isolate(to)}>{t('toAccount', { name: to })}</span>
    </span>
  );
}

interface ActorProps extends TransferProps {
  /** True to show the initials, if there is room for them. */
  hasFace?: boolean;
}

export function Actor({ transfer: { actor_id, actor_name }, hasFace = false }: ActorProps) {
  const name = usePartyName()(actor_id, actor_name);
  const text = (
    <span className="block overflow-hidden text-ellipsis phone:inline" title={isolate(name)}>
      <TypedText>{name}</TypedText>
    </span>
  );
  if (!hasFace) return text;
  return (
    <span className="flex items-center gap-2 min-w-0 phone:inline phone:[&>:first-child]:hidden">
      <Avatar accountId={actor_id} name={name} size={32} />
      {text}
    </span>
  );
}

/** The amount of a transfer, signed from the view of the account whose balance is in the same row. */
export function Amount({ transfer }: TransferProps) {
  const { t } = useTranslation();
  const { amount, bundle, balance_of, from_id, to_id } = transfer;
  const value = t('number', { value: bundle?.amount ?? amount });
  if (balance_of === to_id) return <span className="text-success-fg">+{value}</span>;
  return <>{balance_of === from_id ? `−${value}` : value}</>;
}

/** The balance after a transfer, with the name of the account unless it is the signed-in one. */
export function Balance({ transfer }: TransferProps) {
  const { t } = useTranslation();
  const me = useMe();
  const nameOf = usePartyName();
  const { balance_after, balance_of, from_id, from_name, to_name } = transfer;
  if (balance_after === null) return null;
  const name = nameOf(balance_of, balance_of === from_id ? from_name : to_name);
  return (
    <span className="inline-grid justify-items-end max-w-full [&>small]:max-w-full [&>small]:overflow-hidden [&>small]:text-ellipsis [&>small]:whitespace-nowrap phone:inline phone:[&>small]:block phone:[&>small]:whitespace-normal phone:[&>small]:wrap-anywhere">
      {t('number', { value: balance_after })}
      {balance_of !== me.id && <small title={isolate(name)}>{name}</small>}
    </span>
  );
}
