import { shownText } from '#platform/i18n/isolate.ts';

/** Initials: "GS" for "Grażyna Szczęsna"; for an email its first two letters. */
function initialsOf(name: string): string {
  const words = shownText(name).trim().split(/\s+/);
  const first = words[0] ?? '';
  const last = words.length > 1 ? (words.at(-1) ?? '') : '';
  const letters = last ? [first, last].map((word) => [...word][0] ?? '') : [...first].slice(0, 2);
  return letters.join('').toUpperCase();
}

/** Colours of avatars, without red, which marks problems, and cyan, which looks like the blue. */
const tones = ['primary', 'success', 'warning', 'violet', 'neutral'] as const;

/** The colour of an account’s avatar, always the same for one account; grey for null. */
export function toneOf(accountId: string | null): (typeof tones)[number] {
  if (accountId === null) return 'neutral';
  // The hash is FNV-1a, which gives different colours to similar ids.
  let hash = 0x811c9dc5;
  for (const letter of accountId) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  return tones[(hash >>> 16) % tones.length] ?? 'neutral';
}

interface AvatarProps {
  /** Id of the account; null for acts of the panel itself. */
  accountId: string | null;
  name: string;
  size?: 24 | 32 | 40;
}

const sizes = {
  24: 'w-6 h-6 type-[700_10px/1_var(--font)]',
  32: 'w-8 h-8 type-[700_12px/1_var(--font)]',
  40: 'w-10 h-10 type-[700_14px/1_var(--font)]',
};
/** The colours of the tone `primary`, which badges do not have. */
const PRIMARY =
  'data-[tone=primary]:[--tone-bg:var(--color-primary-tint)] data-[tone=primary]:[--tone-fg:var(--color-primary-dark)]';

export function Avatar({ accountId, name, size = 40 }: AvatarProps) {
  return (
    <span
      className={`inline-grid flex-none place-items-center rounded-[50%] bg-tone-bg text-tone-fg before:[content:attr(data-initials)] ${PRIMARY} ${sizes[size]}`}
      data-tone={toneOf(accountId)}
      // The initials are drawn by CSS, so that they are not part of the button's accessible name.
      data-initials={initialsOf(name)}
      aria-hidden="true"
    />
  );
}
