import * as z from 'zod';
import { day, optionalText, requiredText, STORABLE } from './fields.ts';

export const statusColors = ['success', 'warning', 'error', 'info'] as const;
export type StatusColor = (typeof statusColors)[number];

/** The colour a status label is shown in. */
export function statusColor(label: string): StatusColor {
  const colors: Record<string, StatusColor> = {
    active: 'success',
    inactive: 'warning',
    expired: 'error',
    suspended: 'error',
  };
  return colors[label.toLowerCase()] ?? 'info';
}

export const statusItem = z.object({ label: z.string(), color: z.enum(statusColors) });
export type StatusItem = z.output<typeof statusItem>;

function isPortInRange(hostPort: string): boolean {
  const port = Number(hostPort.slice(hostPort.lastIndexOf(':') + 1));
  return port >= 1 && port <= 65_535;
}

const hostPort = z
  .string()
  .trim()
  .regex(/^[^\s\p{C}/@]{1,255}:\d{1,5}$/u, { error: 'INVALID_HOST' })
  .refine(isPortInRange, { error: 'PORT_RANGE' });

const httpsUrl = z
  .url({ protocol: /^https$/, error: 'INVALID_VALUE' })
  .max(500, { error: 'TOO_LONG' })
  .regex(STORABLE, { error: 'INVALID_VALUE' });

const status = z
  .union([
    requiredText('INVALID_VALUE', 40),
    z.array(z.object({ label: requiredText('INVALID_VALUE', 40) })).max(5),
  ])
  .transform((given): StatusItem[] =>
    (typeof given === 'string' ? [{ label: given }] : given).map(({ label }) => ({
      label,
      color: statusColor(label),
    })),
  );

/** Of a subscription; what is outside the price table only administrators may ask for. */
export const months = z
  .int({ error: 'INVALID_SUBSCRIPTION_MONTHS' })
  .min(1, { error: 'INVALID_SUBSCRIPTION_MONTHS' })
  .max(120, { error: 'INVALID_SUBSCRIPTION_MONTHS' });

/** What a line's owner may write down about it; none of it is pushed. */
export const descriptiveFields = {
  live_channel: optionalText(),
  info: optionalText(),
  user_value: optionalText(),
  name: optionalText(),
  company: optionalText(),
  role: optionalText(),
  avatar_url: z.union([z.literal(''), httpsUrl], { error: 'INVALID_VALUE' }).optional(),
  email: z
    .union([z.literal(''), z.email({ error: 'INVALID_EMAIL' }).max(254)], {
      error: 'INVALID_EMAIL',
    })
    .optional(),
  notes: optionalText(5000),
  host_port: z.array(hostPort).max(10).optional(),
  status: status.optional(),
};

/** Months or a date, never both. */
export const renewalTerm = {
  subscription_months: months.optional(),
  expiry_date: day.optional(),
};

export function isOneRenewalTerm(term: {
  subscription_months?: number | undefined;
  expiry_date?: string | undefined;
}): boolean {
  return (term.subscription_months === undefined) !== (term.expiry_date === undefined);
}
