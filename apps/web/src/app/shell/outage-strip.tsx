import type { Outage, Outages, PastOutage } from '@linekeeper/contract/servers/outages.ts';
import { Link, type LinkProps } from '@tanstack/react-router';
import { ChevronRight, CircleCheck, ServerOff, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Trouble, troubleOfOutage } from '#domain/servers/trouble.ts';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { keptInTab } from '#platform/browser/storage.ts';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { useMe } from '#platform/data/session.ts';
import { formatSince } from '#platform/format/format-moment.ts';
import { isolate } from '#platform/i18n/isolate.ts';

/** Servers that are named, at most, so that the sentence stays readable at a glance. */
const NAMED = 3;
/**
 * Servers that are named on a phone, at most; the sentence has the number of others, and the link leads to all of them.
 */
const NAMED_ON_PHONE = 2;

/**
 * A strip about all servers that do not respond, and another one about those that respond again. Only the second can be
 * closed: without the first, a page looks healthy.
 */
export function OutageStrips({ outages }: { outages: Outages }) {
  return (
    <>
      {outages.items.length > 0 && <AwayStrip outages={outages} />}
      {outages.over.length > 0 && <OverStrip over={outages.over} />}
    </>
  );
}

const STRIP =
  'flex items-center gap-3 min-h-14 py-2 px-(--side) bg-error-bg text-error-fg data-[tone=success]:bg-success-bg data-[tone=success]:text-success-fg [&>svg]:flex-none';

/** One sentence with a link: for administrators to the server, for sellers to their lines on it. */
function AwayStrip({ outages }: { outages: Outages }) {
  const { is_admin } = useMe();
  const isShort = useIsPhone() && outages.items.length > NAMED_ON_PHONE;
  const text = useStripText(outages, isShort);
  return (
    <div role="status">
      <Link
        {...(is_admin ? toServers(outages) : toLines(outages))}
        className="text-inherit no-underline"
      >
        <span className={STRIP}>
          <ServerOff size={20} aria-hidden="true" />
          <span
            className={`flex-1 type-strong min-w-0 wrap-anywhere ${isShort ? 'line-clamp-2' : ''}`}
          >
            {text}
          </span>
          <ChevronRight size={20} aria-hidden="true" />
        </span>
      </Link>
    </div>
  );
}

function toServers({ items: [first, ...others] }: Outages): LinkProps {
  return first && others.length === 0
    ? { to: '/cccam-servers/$id', params: { id: first.server_id } }
    : { to: '/cccam-servers/manage', search: { status: 'error' } };
}

const toLines = ({ items }: Outages): LinkProps => ({
  to: '/users/all',
  search: { server: items.map(({ server_id }) => server_id).join(',') },
});

function sum<Name extends string>(items: readonly Record<Name, number>[], name: Name): number {
  return items.reduce((total, one) => total + one[name], 0);
}

/**
 * Returns the text of the strip: the servers, since when they have been offline, and the number of
 * lines and changes that wait.
 */
function useStripText({ items, accounts }: Outages, isShort: boolean): string {
  const { t, i18n } = useTranslation();
  const { is_admin } = useMe();
  const sinceOf = ({ since }: Outage) => formatSince(Date.parse(since), i18n.language);
  const troubles = items.map(troubleOfOutage);
  const lines = sum(items, 'lines');
  const waiting = sum(items, 'waiting');
  const about = [
    is_admin
      ? t('outage.linesOf', { count: lines, accounts: t('outage.accounts', { count: accounts }) })
      : t(troubles.some(isUncertain) ? 'outage.yoursMaybe' : 'outage.yours', { count: lines }),
    ...(waiting > 0 ? [t('outage.waiting', { count: waiting })] : []),
  ].join(', ');
  const [first, ...others] = items;
  if (first && others.length === 0) {
    return t(troubles.some(isNoAccess) ? 'outage.unchanged' : 'outage.title', {
      names: first.server_name,
      time: sinceOf(first),
      about,
    });
  }
  const isAccess = troubles.some(isNoAccess);
  const more = items.length - NAMED;
  const named = items
    .slice(0, NAMED)
    .map((one) => t('outage.since', { name: one.server_name, time: sinceOf(one) }));
  const names = [...named, ...(more > 0 ? [`+${more}`] : [])].join(', ');
  const kind = isAccess ? 'outage.severalUnchanged' : 'outage.several';
  return t(kind, { count: items.length, names: isShort ? '' : ` (${names})`, about });
}

/** True if customers may still be served, but the panel cannot check it. */
const isUncertain = ({ customers }: Trouble) => customers === 'portUnknown';
const isNoAccess = ({ cause }: Trouble) => cause === 'noAccess';

const CLOSED = 'linekeeper:closed-outages';
const nameOf = ({ server_id, over_since }: PastOutage) => `${server_id} ${over_since}`;

/** A strip about servers that respond again, until it is closed or ten minutes have passed. */
function OverStrip({ over }: { over: readonly PastOutage[] }) {
  const { t, i18n } = useTranslation();
  const [closed, setClosed] = useState(() => keptInTab.read(CLOSED) ?? '');
  const shown = over.filter((one) => !closed.includes(nameOf(one)));
  const [newest] = shown;
  if (!newest) return null;
  const close = () => {
    const names = over.map(nameOf).join(',');
    keptInTab.write(CLOSED, names);
    setClosed(names);
  };
  const waiting = sum(shown, 'waiting');
  // Each name is isolated separately, because the sentence isolates only the whole list.
  const names = shown.map(({ server_name }) => isolate(server_name)).join(', ');
  const isAccess = shown.every(({ no_access }) => no_access);
  return (
    <div className={STRIP} data-tone="success" role="status">
      <CircleCheck size={20} aria-hidden="true" />
      <span className="flex-1 min-w-0 wrap-anywhere">
        <b className="type-strong">
          {t(isAccess ? 'outage.overUnchanged' : 'outage.over', {
            count: shown.length,
            names,
            time: formatSince(Date.parse(newest.over_since), i18n.language),
          })}
        </b>{' '}
        {waiting > 0 && t('outage.stillWaiting', { count: waiting })}
      </span>
      <IconButton size="small" label={t('action.dismiss')} onClick={close}>
        <X size={20} />
      </IconButton>
    </div>
  );
}
