import type { ScreenName } from '../../apps/web/src/screens/screens.ts';
import { visits } from '../shell/visits.ts';
import type { Person } from './people.ts';

export interface Shot {
  /** Name of the pictures' files, without the size. */
  name: string;
  screen: ScreenName;
  person: Person | null;
  search?: string;
  /** Words that are clicked before the picture is taken. */
  click?: string;
  /** English without it. */
  language?: 'de' | 'pl' | 'pt';
}

export const sizes = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
} as const;
export type Size = keyof typeof sizes;

/** What a screen shows to another account, under another tab, or in another language. */
const variants: Partial<Record<ScreenName, Record<string, Omit<Shot, 'name' | 'screen'>>>> = {
  resetPassword: { expired: { person: null } },
  home: { reseller: { person: 'reseller' }, user: { person: 'user' } },
  lines: {
    reseller: { person: 'reseller' },
    de: { person: 'admin', language: 'de' },
    pl: { person: 'admin', language: 'pl' },
    pt: { person: 'admin', language: 'pt' },
  },
  account: {
    credits: { person: 'admin', search: '?tab=credits' },
    lines: { person: 'admin', search: '?tab=lines' },
    activity: { person: 'admin', search: '?tab=activity' },
  },
  messages: { reader: { person: 'user', click: 'Leeds 1 is away' } },
  topUps: { reseller: { person: 'reseller' } },
  tickets: { reseller: { person: 'reseller' } },
  ticket: { reseller: { person: 'reseller' } },
  contact: { user: { person: 'user' } },
  sync: { orphans: { person: 'admin', search: '?tab=orphans' } },
};

/** Screens whose plain address shows something else than what they are for. */
const ways: Partial<Record<ScreenName, Pick<Shot, 'search' | 'click'>>> = {
  resetPassword: { search: '?token=anything' },
  checkServers: { click: 'Test all' },
};

const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The screen as the first account sees it that may. */
function plainShot(screen: ScreenName): Shot {
  const seen = visits[screen].find(({ heading }) => heading !== 'No access');
  return { name: kebab(screen), screen, person: seen?.person ?? null, ...ways[screen] };
}

function shotsOf(screen: ScreenName): Shot[] {
  const others = Object.entries(variants[screen] ?? {});
  const named = others.map(([name, shot]) => ({
    ...shot,
    screen,
    name: `${kebab(screen)}-${name}`,
  }));
  return [plainShot(screen), ...named];
}

/** All pictures of docs/screenshots, each of which is taken in every size. */
export const shots: readonly Shot[] = (Object.keys(visits) as ScreenName[]).flatMap(shotsOf);

export const fileOf = ({ name }: Shot, size: Size) => `${name}-${size}.png`;
