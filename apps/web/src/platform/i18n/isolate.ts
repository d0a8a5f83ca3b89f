const FIRST_STRONG_ISOLATE = '\u2068';
const POP_DIRECTIONAL_ISOLATE = '\u2069';

/** Invisible control characters that change the direction of the following text. */
const directions = /[\u202a-\u202e\u2066-\u2069]/g;

/** Letters of right-to-left scripts, and control characters with the same effect. */
const rightToLeft =
  /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * User input for display, without control characters that reorder it (which could make
 * "rotartsinimda" read as "administrator"). Keeps balanced isolates that `isolate` added; an
 * unbalanced end would close an isolate around the text. Not for copying or sending.
 */
export function shownText(text: string): string {
  let open = 0;
  const shown = text.replace(directions, (sign) => {
    if (sign === FIRST_STRONG_ISOLATE) open++;
    else if (sign === POP_DIRECTIONAL_ISOLATE && open > 0) open--;
    else return '';
    return sign;
  });
  return shown + POP_DIRECTIONAL_ISOLATE.repeat(open);
}

/**
 * Wraps right-to-left text that a user has typed, so that it does not reorder the words and digits
 * around it in a sentence or an `aria-label`. Other text stays the same.
 */
export function isolate(text: string): string {
  const shown = shownText(text);
  if (!rightToLeft.test(shown)) return shown;
  return FIRST_STRONG_ISOLATE + shown + POP_DIRECTIONAL_ISOLATE;
}
