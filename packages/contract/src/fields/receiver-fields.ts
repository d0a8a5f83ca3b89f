import * as z from 'zod';
import { invalid, missingOr, requiredText } from './fields.ts';
import { holdsHiddenLetters } from './names.ts';

/** A receiver's settings for a server, apart from name and password. */

/** The key of a NewCamd server without its own. */
export const DEFAULT_DES_KEY = '0102030405060708091011121314';

/** A host as in the addresses of a line, but without a port, which is a separate field. */
export const publicHost = requiredText(253, 'INVALID_HOST')
  .refine((text) => !holdsHiddenLetters(text), { error: 'HIDDEN_LETTERS' })
  .regex(/^[^\s\p{C}/@|,]*$/u, { error: 'INVALID_HOST' });

export const portOr = (
  missing: 'REQUIRED' | 'PORT_RANGE',
  wrong: 'CCCAM_PORT_RANGE' | 'PORT_RANGE',
) => z.int(missingOr(missing, wrong)).min(1, { error: wrong }).max(65_535, { error: wrong });

export const port = portOr('PORT_RANGE', 'PORT_RANGE');

const hexDigits = (count: number, code: 'INVALID_DES_KEY' | 'INVALID_CAID' | 'INVALID_PROVID') =>
  z
    .string({ error: code })
    .trim()
    .toLowerCase()
    .regex(new RegExp(`^[0-9a-f]{${count}}$`), { error: code });

/** A DES key. Its bytes may be separated by blanks, as in a receiver's own format. */
export const desKey = z
  .string({ error: 'INVALID_DES_KEY' })
  .max(200, { error: 'INVALID_DES_KEY' })
  .overwrite((text) => text.replace(/\s/g, ''))
  .pipe(hexDigits(28, 'INVALID_DES_KEY'));

const newcamdPort = z.object({
  port,
  caid: hexDigits(4, 'INVALID_CAID'),
  // An empty text means no provider ID, because forms send one.
  provid: z
    .union([z.literal('').transform(() => undefined), hexDigits(6, 'INVALID_PROVID')], {
      error: 'INVALID_PROVID',
    })
    .optional(),
});
export type NewcamdPort = z.output<typeof newcamdPort>;

export const newcamdPorts = z
  .array(newcamdPort, invalid)
  .max(64, { error: 'TOO_MANY_VALUES' })
  .superRefine((ports, check) => {
    for (const [index, { port }] of ports.entries()) {
      if (ports.findIndex((other) => other.port === port) === index) continue;
      check.addIssue({ code: 'custom', path: [index, 'port'], message: 'PORT_TWICE' });
    }
  });
