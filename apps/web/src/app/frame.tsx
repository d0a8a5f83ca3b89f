import { useState } from 'react';
import { queryClient } from '#platform/data/query-client.ts';
import { knownAccount } from '#platform/data/session.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { SignedIn } from './signed-in.tsx';

const PublicFrame = lazyPart(() => import('./public-frame.tsx'), 'PublicFrame');

/**
 * The frame around all pages. Visitors see it only if the settings open the knowledge base to them, without menu and
 * account.
 */
export function Frame() {
  // This never changes while the frame is mounted: signing in and out leads over screens outside of it.
  const [isSignedIn] = useState(() => knownAccount(queryClient) !== undefined);
  return isSignedIn ? <SignedIn /> : <PublicFrame />;
}
