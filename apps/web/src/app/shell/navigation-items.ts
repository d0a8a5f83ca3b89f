import { type Actor, can } from '@linekeeper/contract/permissions.ts';
import type { LucideIcon } from 'lucide-react';
import { isAdministration, isOffered } from '#screens/access.ts';
import { type MenuGroup, menu } from '#screens/menu.ts';
import { isSeller } from '#screens/places.ts';
import type { MenuText } from '#screens/screen.ts';
import { iconFor } from '#screens/screen-icons.ts';
import { type AnyScreen, screens } from '#screens/screens.ts';

export type CountedBadge = NonNullable<AnyScreen['badge']>;

interface NavLink {
  text: MenuText;
  path: AnyScreen['path'];
  badge?: CountedBadge | undefined;
}

export interface NavEntry extends NavLink {
  icon: LucideIcon;
  isAdministration: boolean;
}

export interface NavGroup {
  text: MenuText;
  icon: LucideIcon;
  isAdministration: boolean;
  links: readonly NavLink[];
}

/** The link to a screen, in a list; the list is empty for a screen without a menu label. */
function linkTo(screen: AnyScreen, actor: Actor): NavLink[] {
  const { menuText, forAll, forSellers, path, badge } = screen;
  if (!menuText) return [];
  const text =
    (isSeller(actor) && forSellers?.menuText) ||
    (forAll && can(actor, forAll.access) ? forAll.menuText : menuText);
  return [{ text, path, badge }];
}

function groupOf({ screens: names, ...group }: MenuGroup, actor: Actor) {
  const visible = names
    .map((name): AnyScreen => screens[name])
    .filter((screen) => isOffered(screen, actor));
  return {
    ...group,
    isAdministration: group.isAdministration ?? false,
    links: visible.flatMap((screen) => linkTo(screen, actor)),
  };
}

const menuPaths = new Set<string>(
  menu.flatMap((item) =>
    (typeof item === 'string' ? [item] : item.screens).map((name) => screens[name].path),
  ),
);

/** The path of the menu entry that is highlighted for a screen: its own, or that of a screen above it. */
export function litPath(screen: AnyScreen, actor: Actor): AnyScreen['path'] | undefined {
  if (menuPaths.has(screen.path) && isOffered(screen, actor)) return screen.path;
  const { parent, highlights = parent ? [parent] : [] } = screen;
  for (const name of highlights) {
    const path = litPath(screens[name], actor);
    if (path) return path;
  }
  return undefined;
}

/** The menu entries that the account may open. */
export function visibleItems(actor: Actor): (NavEntry | NavGroup)[] {
  return menu.flatMap((item): (NavEntry | NavGroup)[] => {
    if (typeof item !== 'string') {
      const group = groupOf(item, actor);
      return group.links.length > 0 ? [group] : [];
    }
    const screen: AnyScreen = screens[item];
    const icon = iconFor(item, actor);
    if (!icon || !isOffered(screen, actor)) return [];
    return linkTo(screen, actor).map((link) => ({
      ...link,
      icon,
      isAdministration: isAdministration(screen),
    }));
  });
}
