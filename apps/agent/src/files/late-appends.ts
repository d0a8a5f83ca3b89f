/** Late texts in the form in which they are stored; see `rememberAppends`. */
export type StoredAppends = { appends: string[]; firstAppend: number };

/** Texts that were appended late, by running numbers. */
export function rememberAppends() {
  let texts: Buffer[] = [];
  let first = 0;
  return {
    next: () => first + texts.length,
    since: (number: number) => Buffer.concat(texts.slice(Math.max(0, number - first))),
    add(text: Buffer): void {
      if (text.length > 0) texts.push(text);
    },
    cut(number: number): void {
      texts = texts.slice(0, number - first);
    },
    forgetBefore(number: number): void {
      texts = texts.slice(Math.max(0, number - first));
      first = Math.max(first, number);
    },
    save: () => ({ appends: texts.map((text) => text.toString('base64')), firstAppend: first }),
    restore({ appends, firstAppend }: StoredAppends): void {
      texts = appends.map((text) => Buffer.from(text, 'base64'));
      first = firstAppend;
    },
  };
}
