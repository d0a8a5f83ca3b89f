import { useEffect, useState } from 'react';
import { useConnection } from '../shared/browser/connection.ts';
import { useMe } from '../shared/data/session.ts';
import { waitingDrafts } from '../shared/forms/drafts/waiting-drafts.ts';
import { lazyComponent } from '../shared/start/lazy-component.tsx';

const Outbox = lazyComponent(async () => (await import('../features/tickets/outbox.tsx')).Outbox, {
  isPart: true,
  texts: 'tickets',
});
const LOOK_EVERY_MS = 20_000;

/** Sends what was submitted without a connection, as soon as there is one. */
export function WaitingDrafts() {
  const { id } = useMe();
  const isOnline = useConnection() === 'online';
  const [isAnyWaiting, setAnyWaiting] = useState(false);
  useEffect(() => {
    if (!isOnline) return;
    const look = () => setAnyWaiting(waitingDrafts(id).length > 0);
    look();
    const timer = setInterval(look, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [id, isOnline]);
  return isOnline && isAnyWaiting && <Outbox accountId={id} />;
}
