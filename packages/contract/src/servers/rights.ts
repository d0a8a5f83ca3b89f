import * as z from 'zod';
import { invalid, wholeNumber, yesOrNo } from '../fields/fields.ts';

/** What the lines of a plan may do on a card server. A setting that is not given stays as the card server has it. */

const HIGHEST_GROUP = 64;
/** OSCam reads no more bytes of `services`. */
const MAX_SERVICES_BYTES = 1000;
const MAX_LIST = 1000;

/** A list separated by commas, without blanks. */
const listOf = (item: RegExp, max = MAX_LIST) =>
  z
    .string(invalid)
    .max(max, { error: 'TOO_LONG' })
    .transform((text) => text.replace(/[ \t]+/g, ''))
    .refine((text) => text.split(',').every((part) => item.test(part)), invalid);

/** Numbers of groups of readers, each once, in ascending order: an OSCam account without a group has no access to cards. */
const groups = listOf(/^\d{1,2}$/)
  .refine(
    (text) => text.split(',').every((part) => Number(part) >= 1 && Number(part) <= HIGHEST_GROUP),
    invalid,
  )
  .transform((text) => [...new Set(text.split(',').map(Number))].sort((a, b) => a - b).join(','));

const CAID = '[0-9a-fA-F]{1,4}';

/** The settings of an account in `oscam.user`, by their names there. */
export const oscamRights = z.object({
  group: groups.optional(),
  /** Names in `oscam.services`; one that begins with ! is excluded. */
  services: listOf(/^!?[A-Za-z0-9_.+-]+$/, MAX_SERVICES_BYTES)
    .transform((text) => text.toLowerCase())
    .optional(),
  caid: listOf(new RegExp(`^${CAID}(?:&${CAID})?(?::${CAID})?$`))
    .transform((text) => text.toUpperCase())
    .optional(),
  /** CAIDs, each with its provider ids: `0500:030B00,041950;0100:000080`. */
  ident: z
    .string(invalid)
    .max(MAX_LIST, { error: 'TOO_LONG' })
    .transform((text) => text.replace(/[ \t]+/g, '').toUpperCase())
    .refine((text) => {
      const ident = new RegExp(`^${CAID}:[0-9a-fA-F]{1,6}(?:,[0-9a-fA-F]{1,6})*$`);
      return text.split(';').every((part) => ident.test(part));
    }, invalid)
    .optional(),
  /** What happens if the account connects once more: 0 both stay, 1 the newest by protocol, 2 the newest, 3 the first, 4 the first by protocol. */
  uniq: wholeNumber(0, 4).optional(),
  /** 0 is no limit. */
  max_connections: wholeNumber(0, 1000).optional(),
  cccmaxhops: wholeNumber(0, 10).optional(),
  /** Hops over which the customer may share again; -1 forbids it. */
  cccreshare: wholeNumber(-1, 10).optional(),
});
export type OscamRights = z.output<typeof oscamRights>;
export type OscamRight = keyof OscamRights;

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
