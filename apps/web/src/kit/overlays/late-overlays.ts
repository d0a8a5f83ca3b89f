import { lazyPart } from '#platform/start/lazy-part.tsx';

// Overlays for a page that is already shown, loaded when one is opened, because their library is as large as a page. A
// file that is itself loaded late may import overlays.tsx, which saves a second request.
export const Dialog = lazyPart(() => import('./overlays.tsx'), 'Dialog');
export const Drawer = lazyPart(() => import('./overlays.tsx'), 'Drawer');
export const Popover = lazyPart(() => import('./overlays.tsx'), 'Popover');
