import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { ServerOff, WifiOff, X, ZapOff } from 'lucide-react';
import { useCallback, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useConnection } from '../browser/connection.ts';
import { useIsHeldBack } from '../browser/held-back.ts';
import { outagesQuery } from '../data/outages.ts';
import { useCan, useMe } from '../data/session.ts';
import { formatSince } from '../format/format-moment.ts';
import { isolate } from '../i18n/isolate.ts';
import { Button } from '../ui/buttons/button.tsx';
import { ButtonLink } from '../ui/buttons/button-link.tsx';
import { IconButton } from '../ui/buttons/icon-button.tsx';
import { BannerStrip } from '../ui/states/banner-strip.tsx';

/** When the oldest of the data on the screen was fetched; 0 while there is none. */
function oldestShown(queryClient: QueryClient): number {
  const active = queryClient.getQueryCache().findAll({ type: 'active' });
  const fetchedAt = active.map(({ state }) => state.dataUpdatedAt).filter((time) => time > 0);
  return fetchedAt.length > 0 ? Math.min(...fetchedAt) : 0;
}

/** Warns that the shown data may be outdated while the panel cannot be reached. */
export function OfflineBanner() {
  return useConnection() === 'online' ? null : <Banner />;
}

function Banner() {
  const { t, i18n } = useTranslation();
  const queryClient = useQueryClient();
  const connection = useConnection();
  const oldest = useSyncExternalStore(
    useCallback((listener) => queryClient.getQueryCache().subscribe(listener), [queryClient]),
    () => oldestShown(queryClient),
  );
  const time = formatSince(oldest, i18n.language);
  return (
    <BannerStrip
      tone="warning"
      icon={WifiOff}
      title={connection === 'offline' ? t('offline.title') : t('offline.unreachable')}
      action={
        <Button size="small" onClick={() => void queryClient.refetchQueries({ type: 'active' })}>
          {t('action.retry')}
        </Button>
      }
    >
      {oldest > 0 ? t('offline.text', { time }) : t('offline.textWithoutTime')}
    </BannerStrip>
  );
}

/** Says that pages change with a delay, and why; closed until the page is opened again. */
export function HeldBackBanner() {
  const { t } = useTranslation();
  const isHeldBack = useIsHeldBack();
  const { is_admin } = useMe();
  const [isClosed, setClosed] = useState(false);
  const isOnline = useConnection() === 'online';
  if (!isHeldBack || !isOnline || isClosed) return null;
  return (
    <BannerStrip
      tone="warning"
      icon={ZapOff}
      title={t('heldBack.title')}
      isClosable
      action={
        <IconButton size="small" label={t('action.dismiss')} onClick={() => setClosed(true)}>
          <X size={20} />
        </IconButton>
      }
    >
      {t('heldBack.text')} {is_admin && t('heldBack.guide')}
    </BannerStrip>
  );
}

/** With more names the strip would push the page out of a phone. */
const NAMED = 3;

/** One strip for all servers that do not answer, and for all changes that wait for them. */
export function OutageStrip() {
  return useCan(['view_users']) ? <Strip /> : null;
}

function Strip() {
  const { t, i18n } = useTranslation();
  const { data } = useQuery(outagesQuery());
  const [first, ...others] = data?.items ?? [];
  if (!first) return null;
  const away = [first, ...others];
  const sum = (name: 'lines' | 'waiting') => away.reduce((total, one) => total + one[name], 0);
  const waiting = sum('waiting');
  const more = away.length - NAMED;
  const names = [
    ...away.slice(0, NAMED).map(({ server_name }) => isolate(server_name)),
    ...(more > 0 ? [`+${more}`] : []),
  ].join(', ');
  const time = formatSince(Date.parse(first.since), i18n.language);
  return (
    <BannerStrip
      tone="error"
      icon={ServerOff}
      title={t(away.length > 1 ? 'outage.several' : 'outage.title', { names, time })}
      action={
        <ButtonLink
          size="small"
          to="/users/all"
          search={{ server: away.map(({ server_id }) => server_id).join(',') }}
        >
          {t('outage.show')}
        </ButtonLink>
      }
    >
      {t('outage.lines', { count: sum('lines') })}{' '}
      {waiting > 0 && t('outage.waiting', { count: waiting })}
    </BannerStrip>
  );
}
