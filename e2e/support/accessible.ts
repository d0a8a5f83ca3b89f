import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const TRIES = 3;

/**
 * Expects no axe violations after all animations have ended. Only violations that remain after
 * several attempts count, because a result may begin to fade in while axe is at work.
 */
export async function expectAccessible(page: Page): Promise<void> {
  let found: unknown[] = [];
  for (let tries = 0; tries < TRIES; tries++) {
    found = await violationsOf(page);
    if (found.length === 0) return;
  }
  expect(found).toEqual([]);
}

async function violationsOf(page: Page): Promise<unknown[]> {
  // axe cannot judge the contrast of text that is fading in. Some animations never end.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
        .map(({ finished }) => finished.catch(() => undefined)),
    ),
  );
  // Without frames, the second page that axe uses is not needed, and the legacy mode works without
  // it. Passed rules are not requested, because describing them takes as long as checking them.
  const { violations } = await new AxeBuilder({ page })
    .options({ resultTypes: ['violations'] })
    .setLegacyMode()
    .analyze();
  return violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]);
}
