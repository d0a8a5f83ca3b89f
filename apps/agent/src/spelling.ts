import { bytesOf, encoded, encodingOf, isAscii } from '@linekeeper/oscam/bytes.ts';

/**
 * The encodings of name and password in a row, each of which may be another one. Receivers send the bytes with which
 * they were set up, so a row that comes back has the bytes that it had. Undefined for what the row did not show, as
 * ASCII is the same in all.
 */
export type Spelling = { name?: string | undefined; password?: string | undefined };

export const UNSEEN: Spelling = {};

const UTF8 = 'utf-8';

export function shownBy(bytes: string | undefined, text: string | undefined): string | undefined {
  if (bytes === undefined || text === undefined || isAscii(bytes)) return undefined;
  return bytes === bytesOf(text) ? UTF8 : encodingOf(bytes, text);
}

export function isSameSpelling(one: Spelling, other: Spelling): boolean {
  return one.name === other.name && one.password === other.password;
}

type Words = { username: string; password: string };

/** Name and password as bytes. What the row did not show is written as the rest of it. */
export function wordsIn({ name, password }: Spelling, account: Words): Words {
  return {
    username: encoded(account.username, name ?? password),
    password: encoded(account.password, password ?? name),
  };
}
