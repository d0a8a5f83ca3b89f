import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type LucideIcon, WifiOff, X, ZapOff } from 'lucide-react';
import { type ReactNode, useCallback, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#kit/ui/buttons/button.tsx';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { ON_BANNER } from '#kit/ui/states/banner.tsx';
import { useConnection } from '#platform/browser/connection.ts';
import { useIsHeldBack } from '#platform/browser/held-back.ts';
import { useMe } from '#platform/data/session.ts';
import { formatSince } from '#platform/format/format-moment.ts';

/** The time at which the oldest data on the screen was fetched; 0 without any data. */
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
      {oldest > 0 && t('offline.text', { time })}
    </BannerStrip>
  );
}

/**
 * A warning that changes appear late, because a proxy buffers the event stream. After it is
 * dismissed, it stays hidden until the page is reloaded.
 */
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
      {is_admin && t('heldBack.guide')}
    </BannerStrip>
  );
}

interface BannerStripProps {
  tone: 'warning' | 'error';
  icon: LucideIcon;
  title: string;
  children: ReactNode;
  action: ReactNode;
  /** True if the action closes the strip. */
  isClosable?: boolean;
}

/** A banner above the whole page. */
function BannerStrip(props: BannerStripProps) {
  const { tone, icon: Icon, title, children, action, isClosable } = props;
  return (
    <div
      className={`flex items-center gap-3 min-h-12 py-2 px-(--side) bg-tone-bg text-tone-fg phone:items-start phone:not-data-closes:flex-wrap phone:[&>[data-variant]]:ms-7.5 ${ON_BANNER}`}
      data-tone={tone}
      data-closes={isClosable || undefined}
      role="status"
    >
      <Icon size={18} />
      <span className="flex-1 min-w-0 wrap-anywhere phone:[:not([data-closes])>&]:basis-[calc(100%-32px)]">
        <b className="type-strong">{title}</b> {children}
      </span>
      {action}
    </div>
  );
}
