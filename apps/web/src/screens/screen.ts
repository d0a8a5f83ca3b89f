import type { Access } from '@linekeeper/contract/permissions.ts';
import type { ParseKeys, TypeOptions } from 'i18next';
import type * as z from 'zod';

type Namespace = keyof TypeOptions['resources'];

/** Namespaces of texts that a screen loads besides those of every screen. */
export type ScreenTexts = Exclude<Namespace, 'auth' | 'common' | 'errors'>;

export type MenuText = Extract<ParseKeys, `nav.${string}`>;

/** A row of the register of screens. */
export interface Screen {
  path: string;
  /** Paths that only redirect to this screen. */
  index?: readonly string[];
  /** Accounts that may open the screen. Public screens are rendered without the shell. */
  access: Access;
  /** Visitors may open the screen too, once a setting opens the knowledge base to all. */
  isForVisitorsBySetting?: true;
  /** Signed-in accounts are redirected away from this screen. */
  isForVisitors?: true;
  /**
   * Never the destination after signing in, for screens that show a message once or only lead on.
   */
  isPassing?: true;
  /** Neither navigation nor palette offers it to administrators, who have another screen for it. */
  isForOthersThanAdmins?: true;
  /** Heading and window title, unless the page sets its own. */
  title: ParseKeys<['common', ...Namespace[]]>;
  /** Stands under Administration, and is refused in its words, though a permission opens it. */
  isAdministration?: true;
  /** Its label for those who find everybody's rows in it, not only their own. */
  ofAll?: { access: Access; menuText: MenuText };
  /** Label in the side navigation; without it the screen is not listed there. */
  menuText?: MenuText;
  /** The count that stands beside the label in the side navigation. */
  badge?: 'messages' | 'tickets';
  /** Label in the command palette; without it the screen is not listed there. */
  placeText?: Extract<ParseKeys<'palette'>, `pages.${string}`>;
  texts: readonly ScreenTexts[];
  /** Name of the parent screen, which the page's back link leads to. */
  under?: string;
  /** Names of screens of which the first one offered is lit in the navigation; else the parent is. */
  lights?: readonly string[];
  /** Schema of the address's search parameters. */
  search?: z.ZodType<object>;
}
