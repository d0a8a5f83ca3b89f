import * as z from 'zod';
import { day, invalid, MAX_CREDITS, wholeNumber, yesOrNo } from './fields.ts';
import { isHost } from './host.ts';
import { givenCustomer, givenLineDetails } from './line-details.ts';
import { holdsHiddenLetters, requiredName } from './names.ts';

const statusColors = ['success', 'warning', 'error', 'info'] as const;
export type StatusColor = (typeof statusColors)[number];

/** The colour of a status label. */
export function statusColor(label: string): StatusColor {
  const colors: Record<string, StatusColor> = {
    active: 'success',
    inactive: 'warning',
    expired: 'error',
    suspended: 'error',
  };
  return colors[label.toLowerCase()] ?? 'info';
}

/** The label of a line that is switched off on its server; only suspending sets it, only resuming removes it. */
export const SUSPENDED = 'suspended';

export function isSuspendedLabel({ label }: { label: string }): boolean {
  return label.toLowerCase() === SUSPENDED;
}

export const statusItem = z.object({ label: z.string(), color: z.enum(statusColors) });
export type StatusItem = z.output<typeof statusItem>;

function isPortInRange(hostPort: string): boolean {
  const port = Number(hostPort.slice(hostPort.lastIndexOf(':') + 1));
  return port >= 1 && port <= 65_535;
}

/** An address. Commas and | are refused because they separate addresses in an import file. */
const hostPort = z
  .string()
  .trim()
  .refine((text) => !holdsHiddenLetters(text), { error: 'HIDDEN_LETTERS' })
  .regex(/^[^\s\p{C}/@|,]{1,255}:\d{1,5}$/u, { error: 'INVALID_HOST' })
  .refine((text) => isHost(text.slice(0, text.lastIndexOf(':'))), { error: 'INVALID_HOST' })
  .refine(isPortInRange, { error: 'PORT_RANGE' });

/** A label. The separator | is refused because it separates labels in an import file. */
const statusLabel = requiredName(40, 'INVALID_VALUE').regex(/^[^|]*$/, invalid);

const status = z
  .union([
    statusLabel,
    z
      .array(
        z
          .object({
            label: statusLabel,
            /** The label's colour, so that clients may send back the value they read; any other colour is refused. */
            color: z.enum(statusColors, invalid).optional(),
          })
          .refine(({ label, color }) => color === undefined || color === statusColor(label), {
            path: ['color'],
            error: 'INVALID_VALUE',
          }),
      )
      .max(5),
  ])
  .transform((given): StatusItem[] =>
    (typeof given === 'string' ? [{ label: given }] : given).map(({ label }) => ({
      label,
      color: statusColor(label),
    })),
  );

/** The status of a line that is not suspended. */
export const statusNotSuspended = status.refine((items) => !items.some(isSuspendedLabel), {
  error: 'NOT_BY_STATUS',
});

/** The longest term in months. */
export const MAX_MONTHS = 120;

/** Months of a term. Only administrators may use numbers outside the price list. */
export const months = z
  .int({ error: 'INVALID_SUBSCRIPTION_MONTHS' })
  .min(1, { error: 'INVALID_SUBSCRIPTION_MONTHS' })
  .max(MAX_MONTHS, { error: 'INVALID_SUBSCRIPTION_MONTHS' });

/** Descriptive fields of a line; they are never pushed to a card server. */
export const descriptiveFields = {
  ...givenLineDetails,
  customer: givenCustomer,
  host_port: z.array(hostPort).max(10).optional(),
  status: status.optional(),
};

/** The term of a sale or a renewal, with exactly one of the two fields. */
export const duration = {
  subscription_months: months.optional(),
  expiry_date: day.optional(),
};
export type Duration = { [Field in keyof typeof duration]?: z.output<(typeof duration)[Field]> };

export function isMonthsOrDate({ subscription_months, expiry_date }: Duration): boolean {
  return (subscription_months === undefined) !== (expiry_date === undefined);
}

/** The cost in an earlier quote or preview. The request is refused with QUOTE_CHANGED if its cost has changed. */
export const quotedCost = wholeNumber(0, MAX_CREDITS).optional();

/** Allows a renewal to move an expiry date to an earlier day. */
export const mayShorten = yesOrNo.optional();
