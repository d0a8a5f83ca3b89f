import { shownText } from '#platform/i18n/isolate.ts';

/** Initials: "GS" for "Grażyna Szczęsna"; for an email its first two letters. */
function initialsOf(name: string): string {
  const words = shownText(name).trim().split(/\s+/);
  const first = words[0] ?? '';
  const last = words.length > 1 ? (words.at(-1) ?? '') : '';
  const letters = last ? [first, last].map((word) => [...word][0] ?? '') : [...first].slice(0, 2);
  return letters.join('').toUpperCase();
}

/** Colours of avatars; not red, which marks what is wrong, nor cyan, which looks like the blue. */
const tones = ['primary', 'success', 'warning', 'violet', 'neutral'] as const;

/** The colour of an account's avatar, always the same one; grey for null, which is no account. */
export function toneOf(accountId: string | null): (typeof tones)[number] {
  if (accountId === null) return 'neutral';
  // FNV-1a: ids that differ in little get different colours, too.
  let hash = 0x811c9dc5;
  for (const letter of accountId) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  return tones[(hash >>> 16) % tones.length] ?? 'neutral';
}

interface AvatarProps {
  /** Null where there is no account, as with what the panel does by itself. */
  accountId: string | null;
  name: string;
  size?: 24 | 32 | 40;
}

export function Avatar({ accountId, name, size = 40 }: AvatarProps) {
  return (
    <span
      className="inline-grid flex-none place-items-center w-10 h-10 rounded-[50%] bg-tone-bg text-tone-fg type-[700_14px/1_var(--font)] data-[tone=primary]:[--tone-bg:var(--color-primary-tint)] data-[tone=primary]:[--tone-fg:var(--color-primary-dark)] before:[content:attr(data-initials)] data-[size=24]:w-6 data-[size=24]:h-6 data-[size=24]:text-[10px] data-[size=32]:w-8 data-[size=32]:h-8 data-[size=32]:text-[12px]"
      data-tone={toneOf(accountId)}
      data-size={size}
      // Drawn by CSS, so that the letters are not part of the button's accessible name.
      data-initials={initialsOf(name)}
      aria-hidden="true"
    />
  );
}
