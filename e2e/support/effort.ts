import type { Page } from '@playwright/test';

/** The work of a person in a task: taps or clicks, and text fields with typed text. */
export interface Effort {
  taps: number;
  fields: number;
}

type Counted = Record<'countTap' | 'countField', () => void>;

/**
 * Counts what a person does on a page, across its navigations. A click that the keyboard makes is no tap, and a
 * text field counts once, however much is typed into it.
 */
export async function countEffort(page: Page): Promise<() => Effort> {
  const effort: Effort = { taps: 0, fields: 0 };
  await page.exposeFunction('countTap', () => {
    effort.taps += 1;
  });
  await page.exposeFunction('countField', () => {
    effort.fields += 1;
  });
  await page.addInitScript(listen);
  return () => ({ ...effort });
}

function listen() {
  const counted = window as unknown as Counted;
  const typedInto = new WeakSet<EventTarget>();
  addEventListener(
    'click',
    ({ isTrusted, detail }) => isTrusted && detail > 0 && counted.countTap(),
    true,
  );
  addEventListener(
    'input',
    ({ target }) => {
      const isText =
        target instanceof Element &&
        target.matches('input:not([type="radio"], [type="checkbox"]), textarea');
      if (!isText || typedInto.has(target)) return;
      typedInto.add(target);
      counted.countField();
    },
    true,
  );
}
