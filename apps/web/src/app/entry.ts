import { accountKey } from '#platform/browser/account-key.ts';
import { keptInBrowser } from '#platform/browser/storage.ts';
import { preferredLanguage } from '#platform/i18n/languages.ts';
import { textsOf } from '#platform/i18n/text-files.ts';
import { askEarly, earlyCalls, earlyTexts } from '#platform/start/ahead.ts';
import { pathAt } from '#screens/path-at.ts';
import type { ScreenPath } from '#screens/screens.ts';
import { loadFrame, outside, pages } from './pages.ts';

/**
 * The first script of a page, kept small: while the libraries are loading, it requests the texts
 * and the code of the screen in the address. Otherwise these requests would start only after the
 * libraries have run.
 */

// zod tests for `eval` when the first schema is made; the content policy forbids `eval` and browsers report the
// attempt. This setting must exist before the first schema, regardless of the order in which the files below arrive.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

/** Fetches ahead and ignores failures: the screen requests the same again and shows the error. */
function ahead(fetched: Promise<unknown> | undefined): void {
  fetched?.catch(() => undefined);
}

const { pathname, search } = location;
const path = pathAt(pathname, Object.keys(pages) as ScreenPath[]);

/**
 * Evaluates the libraries and then the application, each in a separate task: in one task they would
 * block a phone for a third of a second.
 */
async function start(): Promise<void> {
  await import('./libraries.ts');
  await new Promise((resolve) => setTimeout(resolve));
  await import('./main.tsx');
}

// The promise is not awaited: main.tsx imports the same modules as this file and would wait for this file in turn.
void start();
ahead(textsOf(preferredLanguage(), 'common'));
if (!path || !outside.includes(path)) {
  ahead(loadFrame());
  ahead(textsOf(preferredLanguage(), 'frame'));
  const texts = earlyTexts(pathname);
  if (texts) ahead(textsOf(preferredLanguage(), texts));
  // Browsers load the formats of a language at their first use, so this happens before pages need them.
  setTimeout(() => new Intl.NumberFormat(preferredLanguage()).format(0));
  setTimeout(() => new Intl.DateTimeFormat(preferredLanguage(), { month: 'short' }).format(0));
  if (keptInBrowser.read(accountKey) !== null)
    for (const address of earlyCalls(pathname, search)) askEarly(address);
}
if (path) ahead(pages[path]());
