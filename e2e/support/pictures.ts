import type { ScreenName } from '../../apps/web/src/screens/screens.ts';
import { expectedScreens } from '../shell/expected-screens.ts';
import type { Person } from './people.ts';

export interface Picture {
  /** Name of the pictures' files, without the size. */
  name: string;
  screen: ScreenName;
  person: Person | null;
  search?: string;
  /** Label of the control that is clicked before the picture is taken. */
  click?: string;
  /** The language; English if absent. */
  language?: 'de' | 'pl' | 'pt';
}

export const sizes = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
} as const;
export type Size = keyof typeof sizes;

/** Pictures of screens for another account, with another tab, or in another language. */
const variants: Partial<Record<ScreenName, Record<string, Omit<Picture, 'name' | 'screen'>>>> = {
  resetPassword: { expired: { person: null } },
  home: { reseller: { person: 'reseller' }, user: { person: 'user' } },
  lines: {
    reseller: { person: 'reseller' },
    de: { person: 'admin', language: 'de' },
    pl: { person: 'admin', language: 'pl' },
    pt: { person: 'admin', language: 'pt' },
  },
  line: { edit: { person: 'admin', search: '?part=edit' } },
  account: {
    credits: { person: 'admin', search: '?tab=credits' },
    lines: { person: 'admin', search: '?tab=lines' },
    activity: { person: 'admin', search: '?tab=activity' },
  },
  messages: { reader: { person: 'user', click: 'Leeds 1 is away' } },
  topUps: { reseller: { person: 'reseller' } },
  prices: { lists: { person: 'admin', search: '?tab=lists' } },
  tickets: { reseller: { person: 'reseller' } },
  ticket: { reseller: { person: 'reseller' } },
  contact: { user: { person: 'user' } },
  sync: { orphans: { person: 'admin', search: '?tab=orphans' } },
};

/** Screens whose plain address does not show their purpose, with a better address. */
const ways: Partial<Record<ScreenName, Pick<Picture, 'search' | 'click'>>> = {
  resetPassword: { search: '?token=anything' },
};

const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The picture of a screen for the first account that may open it. */
function plainPicture(screen: ScreenName): Picture {
  const seen = expectedScreens[screen].find(({ heading }) => heading !== 'No access');
  return { name: kebab(screen), screen, person: seen?.person ?? null, ...ways[screen] };
}

function picturesOf(screen: ScreenName): Picture[] {
  const others = Object.entries(variants[screen] ?? {});
  const named = others.map(([name, picture]) => ({
    ...picture,
    screen,
    name: `${kebab(screen)}-${name}`,
  }));
  return [plainPicture(screen), ...named];
}

/** All pictures of docs/screenshots, each of which is taken in every size. */
export const pictures: readonly Picture[] = (Object.keys(expectedScreens) as ScreenName[]).flatMap(
  picturesOf,
);

export const fileOf = ({ name }: Picture, size: Size) => `${name}-${size}.png`;
