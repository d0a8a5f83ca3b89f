/** A bar of the browser takes less than this of the window, and a keyboard more. */
const LEAST_KEYBOARD = 120;

/**
 * Tells stylesheets of a keyboard that lies over the page: `--keyboard` is how much of the window's foot it
 * covers, and `data-keyboard` is set while it is shown. Browsers say so only by what they still show.
 */
export function followKeyboard(): () => void {
  const view = window.visualViewport;
  if (!view) return () => undefined;
  const { documentElement: root } = document;
  const measure = () => {
    // A page that somebody has zoomed into shows less of itself, too.
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
