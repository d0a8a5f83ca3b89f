import { lazyComponent } from '../lazy-component.tsx';

// For what opens at a press on a page that is to be light; a file that is itself fetched late imports
// overlays.tsx.
const isOpen = ({ open }: { open?: boolean }) => open;

export const Drawer = lazyComponent(async () => (await import('./overlays.tsx')).Drawer, {
  isOpen,
});
export const Popover = lazyComponent(async () => (await import('./overlays.tsx')).Popover, {
  isOpen,
});
