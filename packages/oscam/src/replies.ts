import { WebifFailure } from './failure.ts';

/** Name and start of OSCam, as each response of its API has them. */
export type Server = { server: string; started_at: string };
export type Head = Server & {
  isReadOnly: boolean;
  /** The difference of OSCam's clock from UTC at its start, such as +02:00; null if it does not report it. */
  zone: string | null;
};

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  return text.replace(/&(?:#(\d+)|(\w+));/g, (whole, code, name) =>
    code ? String.fromCharCode(Number(code)) : (ENTITIES[name] ?? whole),
  );
}

/**
 * A moment, which OSCam prints as 2026-11-27T22:00:52+0000. Years before 2000 or after 9999 come
 * from a wrong clock, and give null.
 */
export function momentOf(text: string | undefined): string | null {
  const moment = new Date((text ?? '').replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  const year = moment.getUTCFullYear();
  return year >= 2000 && year <= 9999 ? moment.toISOString() : null;
}

/* Texts in this file come from another machine, and may have 32 MB. Every pattern takes time in
   proportion to the text, even if it does not match. */

/** The inside of the first tag of this name, from `<tag ` to `>`. */
export function tagIn(text: string, tag: string): string | undefined {
  const from = text.indexOf(`<${tag} `);
  const end = from < 0 ? -1 : text.indexOf('>', from);
  return end < 0 ? undefined : text.slice(from + tag.length + 2, end);
}

/** Splits a page at each `<tag `; each part ends before the next one. */
export function partsOf(text: string, tag: string): string[] {
  return text.split(`<${tag} `).slice(1);
}

/** Names and values in a text, by a pattern that finds both. */
function valuesIn(text: string, pattern: RegExp): Map<string, string> {
  const found = text.matchAll(pattern);
  return new Map(Array.from(found, ([, name = '', value = '']) => [name, unescapeXml(value)]));
}

export const attributesOf = (text: string) => valuesIn(text, /(?<![\w-])([\w-]+)="([^"]*)"/g);

/** Characters in which the head of a page is, after the declaration of XML. */
const HEAD_CHARACTERS = 4096;

/** Name, start and clock of the OSCam that responded. Throws `NOT_OSCAM` for anything but a response of OSCam's API. */
export function readHead(body: string): Head {
  const head = tagIn(body.slice(0, HEAD_CHARACTERS), 'oscam');
  const fields = attributesOf(head ?? '');
  const version = fields.get('version');
  if (head === undefined || version === undefined) throw new WebifFailure('NOT_OSCAM');
  const started = fields.get('starttime');
  const [, hours, minutes] = /([+-]\d\d)(\d\d)$/.exec(started ?? '') ?? [];
  return {
    server: `OSCam ${version.split('-')[0]}`,
    started_at: momentOf(started) ?? '',
    isReadOnly: fields.get('readonly') === '1',
    zone: hours === undefined ? null : `${hours}:${minutes}`,
  };
}

/** Names in a list of users. */
export function readNames(body: string): string[] {
  return Array.from(body.matchAll(/<user name="([^"]*)"/g), ([, name = '']) => unescapeXml(name));
}

/** Accounts in a list of users; names are bytes, one latin1 character each. */
export function readUsers(body: string): { user: string; isDisabled: boolean }[] {
  return partsOf(body, 'user').flatMap((part) => {
    const fields = attributesOf(part.slice(0, part.indexOf('>')));
    const user = fields.get('name');
    const isDisabled = (fields.get('status') ?? '').includes('(disabled)');
    return user === undefined ? [] : [{ user, isDisabled }];
  });
}

/** The settings of an account; undefined if OSCam has no account with that name. */
export function readUserConfig(body: string): ReadonlyMap<string, string> | undefined {
  const from = body.indexOf('<account>');
  const to = from < 0 ? -1 : body.indexOf('</account>', from);
  if (to < 0) return undefined;
  return valuesIn(body.slice(from + '<account>'.length, to), /<(\w+)>([^<]*)<\/\1>/g);
}
