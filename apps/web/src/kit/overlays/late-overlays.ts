import { lazyPart } from '#platform/start/lazy-part.tsx';

// Overlays for what opens at a press on a page that is already there; their library is as large as a
// page. A file that is itself fetched late may import overlays.tsx, which spares a second fetch.
export const Dialog = lazyPart(() => import('./overlays.tsx'), 'Dialog');
export const Drawer = lazyPart(() => import('./overlays.tsx'), 'Drawer');
export const Popover = lazyPart(() => import('./overlays.tsx'), 'Popover');
