import { accountScreens } from './account-screens.ts';
import { articleScreens } from './article-screens.ts';
import { creditScreens } from './credit-screens.ts';
import { lineScreens } from './line-screens.ts';
import { messageScreens } from './message-screens.ts';
import { ownScreens } from './own-screens.ts';
import { pathAt } from './path-at.ts';
import { paymentScreens } from './payment-screens.ts';
import { sampleScreens } from './sample-screens.ts';
import type { Screen } from './screen.ts';
import { serverScreens } from './server-screens.ts';
import { supportScreens } from './support-screens.ts';
import { ticketScreens } from './ticket-screens.ts';
import { visitorScreens } from './visitor-screens.ts';

/**
 * The register of all screens, read by the router, links, navigation, palette, titles and route
 * tests; each subject has a file. The palette lists screens in this order. app/pages.ts binds each
 * path to the code of its page.
 */
export const screens = {
  ...visitorScreens,
  ...lineScreens,
  ...accountScreens,
  ...creditScreens,
  ...messageScreens,
  ...paymentScreens,
  ...articleScreens,
  ...ticketScreens,
  ...supportScreens,
  ...serverScreens,
  ...sampleScreens,
  ...ownScreens,
} as const satisfies Record<string, Screen>;

export type ScreenName = keyof typeof screens;
export type ScreenPath = (typeof screens)[ScreenName]['path'];
export type AnyScreen = Screen & {
  path: ScreenPath;
  parent?: ScreenName;
  highlights?: readonly ScreenName[];
};

/** The same screens with a common type, in which rarely used properties are optional. */
export const allScreens: readonly AnyScreen[] = Object.values(screens);
const allPaths = allScreens.map(({ path }) => path);

/** The screen at an address; undefined if there is none. */
export function screenAt(pathname: string): AnyScreen | undefined {
  const found = pathAt(pathname, allPaths);
  return allScreens.find(({ path }) => path === found);
}
