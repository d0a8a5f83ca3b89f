import * as z from 'zod';
import { invalid, wholeNumber, yesOrNo } from '../fields/fields.ts';

/** The rights of a plan's lines on a card server. A right that is missing is left to the card server. */

export const HIGHEST_GROUP = 64;
/** Characters of a list; OSCam reads no more of `services`. */
const MAX_LIST = 1000;

/** A list without blanks. */
const listOf = (isItem: (part: string) => boolean, separator = ',') =>
  z
    .string(invalid)
    .max(MAX_LIST, { error: 'TOO_LONG' })
    .transform((text) => text.replace(/[ \t]+/g, ''))
    .refine((text) => text.split(separator).every(isItem), invalid);

/** Numbers of groups of readers, each once, in ascending order: an OSCam account without a group has no access to cards. */
const groups = listOf((part) => /^[1-9]\d?$/.test(part) && Number(part) <= HIGHEST_GROUP).transform(
  (text) => [...new Set(text.split(',').map(Number))].sort((a, b) => a - b).join(','),
);

const CAID = '[0-9a-fA-F]{1,4}';
const CAID_ITEM = new RegExp(`^(${CAID})(?:&(${CAID}))?(?::(${CAID}))?$`);
const isAbove0 = (hex: string) => Number.parseInt(hex, 16) > 0;

/** True for a CAID that OSCam accepts. OSCam drops a mask of zeros, and zeros that are not mapped to a CAID. */
function isCaid(item: string): boolean {
  const [, caid = '', mask = '1', map = ''] = CAID_ITEM.exec(item) ?? [];
  return (isAbove0(caid) || isAbove0(map)) && isAbove0(mask);
}

/** Provider ids of one CAID, at most; OSCam keeps no more. */
const MAX_PROVIDERS = 32;
const IDENT_ITEM = new RegExp(`^(${CAID}):([0-9a-fA-F]{1,6}(?:,[0-9a-fA-F]{1,6})*)$`);

function isIdent(item: string): boolean {
  const [, caid = '', providers = ''] = IDENT_ITEM.exec(item) ?? [];
  return isAbove0(caid) && providers.split(',').length <= MAX_PROVIDERS;
}

/** The name of a service, of which OSCam keeps 63 bytes. */
const SERVICE_NAME = /^!?(?=.{1,63}$)[\w.+&()/-]+(?: [\w.+&()/-]+)*$/;
/** True for a service that a plan can name. */
export const isServiceName = (name: string) => SERVICE_NAME.test(name) && !name.startsWith('!');

/** The settings of an account in `oscam.user`, by their names there. */
export const oscamRights = z.object({
  group: groups.optional(),
  /** Names in `oscam.services`; a name that begins with ! is excluded. */
  services: z
    .string(invalid)
    .max(MAX_LIST, { error: 'TOO_LONG' })
    .transform((text) => text.toLowerCase().replace(/[ \t]*(,|^|$)[ \t]*/g, '$1'))
    .refine((text) => text.split(',').every((name) => SERVICE_NAME.test(name)), invalid)
    .optional(),
  /** CAIDs, each perhaps with a mask and the CAID that it is mapped to: `0500,0600&FF00,0100:0D00`. */
  caid: listOf(isCaid)
    .transform((text) => text.toUpperCase().replace(/&FFFF|:0+(?=,|$)/g, ''))
    .optional(),
  /** CAIDs, each with its provider ids: `0500:030B00,041950;0100:000080`. */
  ident: listOf(isIdent, ';')
    .transform((text) => text.toUpperCase())
    .optional(),
  /**
   * OSCam's reaction if the account connects more than `max_connections` times: with 0 all
   * connections stay, with 1 the first ones, with 3 the last ones; 2 and 4 are the same, but do not
   * count connections from the address of the new one.
   */
  uniq: wholeNumber(0, 4).optional(),
  max_connections: wholeNumber(1, 1000).optional(),
  cccmaxhops: wholeNumber(0, 10).optional(),
  cccreshare: wholeNumber(-1, 10).optional(),
});
export type OscamRights = z.output<typeof oscamRights>;
export type OscamRight = keyof OscamRights;

/** The text of a setting in `oscam.user` as OSCam reads it; undefined for an invalid one. */
export function checkOscamRight(key: OscamRight, text: string): string | undefined {
  const field = oscamRights.shape[key];
  const asText = field.safeParse(text);
  const isNumber = !asText.success && /^-?\d{1,9}$/.test(text);
  const { data } = isNumber ? field.safeParse(Number(text)) : asText;
  return data === undefined ? undefined : String(data);
}

const SHARE = `${CAID}:[0-9a-fA-F]{1,6}(?::\\d{1,3})?`;
const SERVICE = `${CAID}:[0-9a-fA-F]{1,6}:${CAID}`;
const TIME = '(?:[01]\\d|2[0-4]):[0-5]\\d';
const bracesOf = (item: string) => `\\{ (?:${item}(?:, ${item})* )?\\}`;
const LIMITS = new RegExp(
  `^${bracesOf(SHARE)}(?: ${bracesOf(SERVICE)}(?: ${bracesOf(`${TIME}-${TIME}`)})?)?$`,
);

/** The options of an F line of CCcam, which follow username and password. */
export const cccamRights = z.object({
  uphops: wholeNumber(0, 255),
  shareemus: yesOrNo,
  allowemm: yesOrNo,
  /** Up to three lists in braces: cards with hops, services, and hours. Blanks are put where CCcam's own examples have them. */
  limits: z
    .string(invalid)
    .max(MAX_LIST, { error: 'TOO_LONG' })
    .transform((text) =>
      text
        .replace(/[ \t]+/g, '')
        .replace(/\{/g, ' { ')
        .replace(/\}/g, ' } ')
        .replace(/,/g, ', ')
        .replace(/ +/g, ' ')
        .trim(),
    )
    .refine((text) => LIMITS.test(text), invalid)
    .optional(),
});
export type CccamRights = z.output<typeof cccamRights>;

export interface Rights {
  oscam?: OscamRights | undefined;
  cccam?: CccamRights | undefined;
}

/** The options of an F line: `1 0 1 { 0:0:1 }`. */
export function optionsOf({ uphops, shareemus, allowemm, limits }: CccamRights): string {
  const numbers = [uphops, shareemus ? 1 : 0, allowemm ? 1 : 0].join(' ');
  return limits ? `${numbers} ${limits}` : numbers;
}

const OPTIONS = /^(\d{1,3}) ([01]) ([01])(?: (\{.*))?$/;

/** The options of an F line with blanks as in CCcam's own examples; undefined for invalid ones. */
export function checkOptionsText(text: string): string | undefined {
  const found = OPTIONS.exec(text.replace(/[ \t]+/g, ' ').trim());
  const [, uphops, shareemus, allowemm, limits] = found ?? [];
  const { data } = cccamRights.safeParse({
    uphops: Number(uphops),
    shareemus: shareemus === '1',
    allowemm: allowemm === '1',
    limits,
  });
  return data && optionsOf(data);
}
