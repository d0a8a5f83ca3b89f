import type { Access } from '@linekeeper/contract/permissions.ts';
import type { ParseKeys, TypeOptions } from 'i18next';
import type * as z from 'zod';

type Namespace = keyof TypeOptions['resources'];

/** Namespaces of texts that a screen loads besides those of every screen. */
export type ScreenTexts = Exclude<Namespace, 'auth' | 'common' | 'errors'>;

export type MenuText = Extract<ParseKeys, `nav.${string}`>;

export interface Screen {
  path: string;
  /** Paths that redirect to this screen. */
  index?: readonly string[];
  /** Paths that redirect to a part of this screen, each with the search parameters of that part. */
  partIndex?: Readonly<Record<string, object>>;
  /** Accounts that may open the screen. Public screens are rendered without the shell. */
  access: Access;
  /** True if visitors may open the screen, too, when a setting opens the knowledge base to all. */
  isPublicBySetting?: true;
  /** True if signed-in accounts are redirected away from this screen. */
  isForVisitors?: true;
  /** True for screens that show a message once or redirect, so that they are never opened after signing in. */
  isTransient?: true;
  /**
   * True if neither navigation nor palette offers the screen to administrators, who have another
   * screen for it or no use for it.
   */
  isHiddenFromAdmins?: true;
  /** Heading and window title, unless the page sets its own. */
  title: ParseKeys<['common', ...Namespace[]]>;
  /** True if the screen is listed under Administration and refused in its words, though a permission opens it. */
  isAdministration?: true;
  /** Label for accounts that see the rows of all accounts on the screen. */
  forAll?: { access: Access; menuText: MenuText };
  /** Labels for sellers who are not administrators, for whom the screen is a different one. */
  forSellers?: { menuText: MenuText };
  /** Label in the side navigation; without it the screen is not listed there. */
  menuText?: MenuText;
  /** The count beside the label in the side navigation. */
  badge?: 'messages' | 'tickets';
  /** True if the search offers the screen to administrators only, although all accounts may open it. */
  isPlaceOfAdmins?: true;
  /** Label in the command palette; without it the screen is not listed there. */
  placeText?: MenuText;
  texts: readonly ScreenTexts[];
  /** Name of the parent screen, which the page's back link leads to. */
  parent?: string;
  /** Names of screens, the first offered one of which is highlighted in the navigation; by default the parent. */
  highlights?: readonly string[];
  /** Schema of the search parameters in the address of the screen. */
  search?: z.ZodType<object>;
}
