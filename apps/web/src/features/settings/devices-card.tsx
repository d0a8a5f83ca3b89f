import { mailedNotices, pushedNotices } from '@linekeeper/contract/lists/preferences.ts';
import { can } from '@linekeeper/contract/permissions.ts';
import {
  getPush,
  type PushSubscription,
  subscribeToPush,
  unsubscribeFromPush,
} from '@linekeeper/contract/web-push.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '#kit/commands/use-command.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Card } from '#kit/ui/card.tsx';
import { SwitchRow } from '#kit/ui/controls/switch-row.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { Timestamp } from '#kit/ui/timestamp.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { callQuery } from '#platform/api/call-query.ts';
import { usePreferences } from '#platform/data/preferences.ts';
import { useMe } from '#platform/data/session.ts';
import { results } from '#platform/state/results.ts';
import { useSavePreferences } from './use-save-preferences.ts';

/** The switch of notifications on this device, their kinds, and the account's other devices. */
export function DevicesCard() {
  const { t } = useTranslation('settings');
  const { data, error, refetch } = useQuery(callQuery('push', getPush));
  const { subscriptions = [], public_key = '' } = data ?? {};
  const others = subscriptions.filter(({ is_current }) => !is_current);
  return (
    <Card title={t('devices.title')} className="min-h-60">
      {error && !data && <FailedPanel error={error} onRetry={() => void refetch()} />}
      {data && (
        <ThisDevice publicKey={public_key} isStored={others.length < subscriptions.length} />
      )}
      {subscriptions.length > 0 && <Kinds />}
      {others.length > 0 && (
        <>
          <h3 className="mt-4">{t('devices.others')}</h3>
          <ul className="divided">
            {others.map((device) => (
              <OtherDevice key={device.id} device={device} />
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

function ThisDevice({ publicKey, isStored }: { publicKey: string; isStored: boolean }) {
  const { t } = useTranslation('settings');
  const refreshed = { refreshes: ['push'], waits: true } as const;
  const subscribing = useCommand(subscribeToPush, refreshed);
  const ending = useCommand(unsubscribeFromPush, refreshed);
  const [isAsking, setAsking] = useState(false);
  if (!canSubscribe()) return <p className="text-text-2">{t('devices.unsupported')}</p>;
  const turnOn = async () => {
    setAsking(true);
    try {
      const subscription = await subscribeBrowser(publicKey);
      if (subscription) await subscribing.send(subscription);
    } catch {
      results.error(t('devices.failed'));
    }
    setAsking(false);
  };
  const { permission } = Notification;
  return (
    <>
      <SwitchRow
        label={t('devices.switch')}
        hint={t(permission === 'denied' ? 'devices.blocked' : 'devices.hint')}
        checked={isStored && permission === 'granted'}
        disabled={isAsking || ending.isPending || permission === 'denied'}
        onChange={(isOn) => void (isOn ? turnOn() : ending.send())}
      />
      <p className="mb-2 text-text-2 type-caption">{t('devices.service')}</p>
    </>
  );
}

/** The kinds of notification, which are the same on all devices. */
function Kinds() {
  const { t } = useTranslation('settings');
  const me = useMe();
  const { pushes } = usePreferences();
  const save = useSavePreferences();
  const own = mailedNotices.filter(({ push }) => push && can(me, push)).map(({ name }) => name);
  return (
    <fieldset className="mt-4">
      <legend>{t('devices.kinds')}</legend>
      {pushedNotices
        .filter((kind) => own.includes(kind))
        .map((kind) => (
          <SwitchRow
            key={kind}
            label={t(`mails.${kind}`)}
            checked={pushes[kind]}
            onChange={(isOn) =>
              save({ pushes: { [kind]: isOn } }, { pushes: { [kind]: pushes[kind] } })
            }
          />
        ))}
    </fieldset>
  );
}

function OtherDevice({
  device: { id, browser, system, created_at },
}: {
  device: PushSubscription;
}) {
  const { t } = useTranslation('settings');
  const ending = useCommand(unsubscribeFromPush, {
    input: () => ({ query: { id } }),
    refreshes: ['push'],
    waits: true,
  });
  const name = browser && system ? t('device', { browser, system }) : (browser ?? system ?? '–');
  return (
    <li className="flex items-center gap-4 min-h-14 py-2">
      <span className="flex-1 min-w-0 wrap-anywhere">
        <b className="block type-strong">
          <TypedText>{name}</TypedText>
        </b>
        <span className="text-text-2 type-caption">
          <Timestamp value={created_at} />
        </span>
      </span>
      <Button
        size="small"
        pending={ending.isPending}
        aria-label={t('removeOf', { name })}
        onClick={() => void ending.send()}
      >
        {t('recurring.remove')}
      </Button>
    </li>
  );
}

/** True if this browser can show notifications while the panel is closed, which needs https. */
function canSubscribe(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
}

/**
 * Asks the user for permission, and the browser for a new subscription. Returns null if the user refuses; throws if the
 * browser's push service does not respond.
 */
async function subscribeBrowser(publicKey: string) {
  if ((await Notification.requestPermission()) !== 'granted') return null;
  const { pushManager } = await register();
  // A former subscription may belong to another account, whose notifications must no longer appear here.
  await (await pushManager.getSubscription())?.unsubscribe();
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  const { endpoint = '', keys } = (await pushManager.subscribe(options)).toJSON();
  return { endpoint, keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } };
}

/** The service worker, which is usually registered already. */
async function register(): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' });
  return navigator.serviceWorker.ready;
}
