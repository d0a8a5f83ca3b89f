import { commonPasswords } from '@linekeeper/contract/fields/common-passwords.ts';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { useDeferredValue, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '#platform/data/session.ts';

const estimator = new ZxcvbnFactory({ dictionary: { common: [...commonPasswords] } });
const levels = ['weak', 'fair', 'good', 'strong'] as const;

/** Words of at least three letters, which a guesser would try first. */
function wordsOf(...texts: string[]): string[] {
  return texts
    .flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])
    .filter((word) => word.length > 2);
}

/**
 * The strength of a password from 1 to 4. Parts of the account's own names make it weaker, because a guesser may know
 * them.
 */
export function StrengthMeter({ password }: { password: string }) {
  const { t } = useTranslation('profile');
  const { email, username, full_name } = useMe();
  const typed = useDeferredValue(password);
  const strength = useMemo(() => {
    const { score } = estimator.check(typed, wordsOf(email, username, full_name, 'linekeeper'));
    return Math.max(1, score);
  }, [typed, email, username, full_name]);
  const level = levels[strength - 1] ?? 'weak';
  const text = t(`strength.${level}`);
  return (
    <div
      className="flex items-center gap-3 type-caption [--level:var(--color-danger)] -mt-4 data-[level=fair]:[--level:#b76e00] data-[level=good]:[--level:#118d57] data-[level=strong]:[--level:#118d57] [&_p]:min-w-16 [&_p]:text-text-2 [&_p]:text-end"
      data-level={level}
    >
      <meter
        className="visually-hidden"
        aria-label={t('strength.label')}
        min={0}
        max={levels.length}
        value={strength}
      />
      <div
        className="grid flex-1 grid-cols-[repeat(4,1fr)] gap-1 [&_span]:h-1 [&_span]:rounded-[2px] [&_span]:bg-divider-strong [&_span]:data-filled:bg-(--level)"
        aria-hidden="true"
      >
        {levels.map((one, index) => (
          <span key={one} data-filled={index < strength || undefined} />
        ))}
      </div>
      <p role="status">{text}</p>
    </div>
  );
}
