import {
  defaultPreferences,
  mailedNotices,
  type Preferences,
} from '@linekeeper/contract/lists/preferences.ts';

const kinds = mailedNotices.map(({ name }) => name);

/**
 * The kinds of mail that an account wants, from its stored choices. A kind that came later is not wanted
 * either by those who had turned off all there were.
 */
export function mailChoices(stored: unknown): Preferences['mails'] {
  const given = (stored ?? {}) as Record<string, unknown>;
  const chosen = kinds.flatMap((kind) => {
    const wanted = given[kind];
    return typeof wanted === 'boolean' ? [[kind, wanted] as const] : [];
  });
  const wantsNone = chosen.length > 1 && !chosen.some(([, wanted]) => wanted);
  const others = wantsNone ? kinds.map((kind) => [kind, false] as const) : [];
  return { ...defaultPreferences.mails, ...Object.fromEntries([...others, ...chosen]) };
}
