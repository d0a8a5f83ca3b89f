import type { ErrorCode } from '@linekeeper/contract/errors.ts';
import { can } from '@linekeeper/contract/permissions.ts';
import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router';
import { isAdministration } from '../screens/access.ts';
import type { Screen } from '../screens/screen.ts';
import { queryClient } from '../shared/data/query-client.ts';
import { knownAccount, useMe } from '../shared/data/session.ts';

const RefusedPage = lazyRouteComponent(() => import('./refused-page.tsx'), 'RefusedPage');

type Guarded = Pick<Screen, 'access' | 'isAdministration' | 'isPublicBySetting'>;

/** Shows the page to accounts with access, and the refusal to others. */
export function guarded(screen: Guarded, Page: RouteComponent): RouteComponent {
  const { access, isPublicBySetting } = screen;
  if (access === 'public' || isPublicBySetting) return Page;
  const refusal: ErrorCode = isAdministration(screen) ? 'ADMIN_ONLY' : 'FORBIDDEN';
  function GuardedPage() {
    return can(useMe(), access) ? <Page /> : <RefusedPage refusal={refusal} />;
  }
  return Object.assign(GuardedPage, {
    preload: async () => {
      await (can(knownAccount(queryClient) ?? null, access) ? Page : RefusedPage).preload?.();
    },
  });
}
