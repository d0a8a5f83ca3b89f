import { lazyComponent } from '../../start/lazy-component.tsx';

// Overlays for what opens at a press on a page that is already there; their library is as large as a
// page. A file that is itself fetched late may import overlays.tsx, which spares a second fetch.
const isOpen = ({ open }: { open?: boolean }) => open;

export const Dialog = lazyComponent(async () => (await import('./overlays.tsx')).Dialog, {
  isOpen,
});
export const Drawer = lazyComponent(async () => (await import('./overlays.tsx')).Drawer, {
  isOpen,
});
export const Popover = lazyComponent(async () => (await import('./overlays.tsx')).Popover, {
  isOpen,
});
