/** Pixels of the window that a keyboard covers, at least; a bar of the browser covers less. */
const LEAST_KEYBOARD = 120;

/**
 * Lets stylesheets know about a keyboard over the page: `--keyboard` is the height that it covers at the window's foot,
 * and `data-keyboard` is set while it is shown. Browsers only report the part of the page that is still visible.
 */
export function followKeyboard(): () => void {
  const view = window.visualViewport;
  if (!view) return () => undefined;
  const { documentElement: root } = document;
  const measure = () => {
    // A zoomed page also shows less of its height, which must not count as a keyboard.
    const missing = view.scale > 1 ? 0 : root.clientHeight - view.height;
    const isShown = missing > LEAST_KEYBOARD;
    root.toggleAttribute('data-keyboard', isShown);
    if (isShown) root.style.setProperty('--keyboard', `${Math.max(missing - view.offsetTop, 0)}px`);
    else root.style.removeProperty('--keyboard');
  };
  measure();
  view.addEventListener('resize', measure);
  view.addEventListener('scroll', measure);
  return () => {
    view.removeEventListener('resize', measure);
    view.removeEventListener('scroll', measure);
  };
}
