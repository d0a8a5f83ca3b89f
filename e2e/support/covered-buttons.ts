import type { Page } from '@playwright/test';

/** Buttons of the page inside the window that a card of a result covers. */
export const coveredButtons = (page: Page) =>
  page.getByRole('main').evaluate((main) =>
    [...main.querySelectorAll('button')].flatMap((button) => {
      const { left, top, width, height } = button.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      const isSeen = width > 0 && y > 0 && y < innerHeight && x > 0 && x < innerWidth;
      const above = isSeen ? document.elementFromPoint(x, y) : null;
      const isBelowCard = above?.closest('aside') !== null && above?.closest('aside') !== undefined;
      return isBelowCard ? [button.getAttribute('aria-label') ?? button.innerText] : [];
    }),
  );
