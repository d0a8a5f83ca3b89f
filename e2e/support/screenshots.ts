// `npm run screenshots`: takes a picture of every screen, on desktop and phone, into docs/screenshots.
// `-- --only lines` takes those with that word in their names.
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from '@playwright/test';
import { screens } from '../../apps/web/src/screens/screens.ts';
import { chromiumLaunchOptions } from '../../scripts/test-chromium.ts';
import { addressOf } from '../shell/address-of.ts';
import { panelUrl } from './panel.ts';
import { fileOf, type Picture, pictures, type Size, sizes } from './pictures.ts';
import { seedPictures } from './seed-pictures.ts';
import { startSeededPanel } from './seeded-panel.ts';
import { signIn } from './sign-in.ts';

const { values: options } = parseArgs({
  options: {
    /** Takes only pictures whose names contain this text, and removes none. */
    only: { type: 'string', default: '' },
    /** Another folder than docs/screenshots. */
    into: { type: 'string', default: join(import.meta.dirname, '../../docs/screenshots') },
    /** Takes whole pages, to see the content below the edge of the window. */
    full: { type: 'boolean', default: false },
  },
});
const waiting = ['[aria-busy="true"]', '[class*="keleton"]', 'main > [class*="_pending"]'];

/** Milliseconds without a drawing after which the screen counts as complete, with all that follows its first data. */
const QUIET_MS = 400;

/**
 * Waits until the screen is drawn, with its data and fonts. The stream of events stays open, so the
 * network is never idle.
 */
async function waitForAll(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1, name: /./ }).waitFor();
  await page.waitForFunction(
    ({ parts, quiet }) => {
      const state = window as unknown as { drawn?: { html: string; at: number } };
      const html = document.body.outerHTML;
      if (state.drawn?.html !== html) state.drawn = { html, at: Date.now() };
      return !document.querySelector(parts) && Date.now() - state.drawn.at > quiet;
    },
    { parts: waiting.join(), quiet: QUIET_MS },
    { polling: 50 },
  );
  await page.evaluate(() => document.fonts.ready);
}

/**
 * Makes the window as high as the page. Playwright's full-page pictures leave bars that stick to an
 * edge in their places.
 */
async function growToAll(page: Page): Promise<void> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width: page.viewportSize()?.width ?? 0, height });
}

async function take(page: Page, picture: Picture, size: Size): Promise<void> {
  const address = await addressOf(page.request, screens[picture.screen].path);
  await page.goto(panelUrl + address + (picture.search ?? ''));
  await waitForAll(page);
  if (picture.click) {
    await page.getByRole('main').getByText(picture.click).first().click();
    await waitForAll(page);
  }
  if (options.full) await growToAll(page);
  const path = join(options.into, fileOf(picture, size));
  await page.screenshot({ path, animations: 'disabled' });
  await page.setViewportSize(sizes[size]);
  console.log(path);
}

/** Takes the pictures of one account in one language in one window, where it signs in once. */
async function takeAll(browser: Browser, wanted: readonly Picture[], size: Size): Promise<void> {
  const windows = Map.groupBy(wanted, ({ person, language }) => `${person} ${language}`);
  for (const taken of windows.values()) {
    const [{ person, language } = { person: null }] = taken;
    const context = await browser.newContext({
      viewport: sizes[size],
      deviceScaleFactor: 1,
      locale: language ?? 'en-GB',
      timezoneId: 'UTC',
      serviceWorkers: 'block',
    });
    await context.addInitScript(
      (code) => localStorage.setItem('app-language', code),
      language ?? 'en',
    );
    const page = await context.newPage();
    if (person) await signIn(page, person, panelUrl);
    for (const picture of taken) await take(page, picture, size);
    await context.close();
  }
}

/** Removes pictures of screens that no longer exist. */
async function removeOthers(): Promise<void> {
  const names = (Object.keys(sizes) as Size[]).flatMap((size) =>
    pictures.map((picture) => fileOf(picture, size)),
  );
  for (const file of await readdir(options.into)) {
    if (file.endsWith('.png') && !names.includes(file)) await rm(join(options.into, file));
  }
}

const panel = await startSeededPanel('pictures');
try {
  await seedPictures();
  await mkdir(options.into, { recursive: true });
  const browser = await chromium.launch(await chromiumLaunchOptions());
  const wanted = pictures.filter(({ name }) => name.includes(options.only));
  for (const size of Object.keys(sizes) as Size[]) await takeAll(browser, wanted, size);
  await browser.close();
  if (!options.only && !options.full) await removeOthers();
} finally {
  await panel.stop();
}
process.exit();
