import { enteredLines, lacksPorts } from '@linekeeper/contract/lines/receivers.ts';
import { customerAddress } from '@linekeeper/contract/servers/customer-address.ts';
import { newServer, serverChanges } from '@linekeeper/contract/servers/servers.ts';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';

/** Both forms show every field, so no field falls back to a default. */
export const addServerForm = newServer.required();

type ReachedBy = Pick<ServerValues, 'kind' | 'username' | 'password'>;

/**
 * True for a server that is added without an agent, so that all its fields are required; an agent
 * fills in the empty ones.
 */
export const isByHand = ({ kind, username, password }: ReachedBy) =>
  kind === 'oscam_webif' || username.trim() !== '' || password !== '';

/** Fields that are required for a server without an agent. OSCam may work without a password. */
const neededByHand = {
  api: ['host_ip', 'username', 'password'],
  oscam_webif: ['host_ip'],
} as const;

const optional = (maximum: number) => z.string().trim().max(maximum, { error: 'TOO_LONG' });

/**
 * The form that adds a server for an agent. Its address for customers is not optional as elsewhere, because the agent
 * reports everything else.
 */
export const awaitedServerForm = addServerForm
  .extend({
    public_host: newServer.shape.public_host
      .unwrap()
      .refine((host) => host !== null, { error: 'REQUIRED' }),
    host_ip: optional(253),
    username: optional(200),
    password: z.string().max(200, { error: 'TOO_LONG' }),
  })
  .superRefine((values, check) => {
    if (!values.closed_to_new_lines && lacksPorts(values)) {
      check.addIssue({ code: 'custom', message: 'REQUIRED', path: ['newcamd_ports'] });
    }
    if (!isByHand(values)) return;
    for (const field of neededByHand[values.kind]) {
      if (values[field] !== '') continue;
      check.addIssue({ code: 'custom', message: 'REQUIRED', path: [field] });
    }
  });

export const editServerForm = serverChanges
  .omit({ same_machine_as: true })
  .required()
  .extend({
    username: optional(200),
    // The stored password cannot be read; an empty field keeps it.
    password: z.string().max(200, { error: 'TOO_LONG' }),
  })
  .superRefine(({ kind, username }, check) => {
    if (kind === 'oscam_webif' || username !== '') return;
    check.addIssue({ code: 'custom', message: 'REQUIRED', path: ['username'] });
  });

export type ServerValues = z.output<typeof addServerForm>;
type AddressValues = Pick<ServerValues, 'host_ip' | 'port' | 'public_host' | 'public_port'>;

/** The address for customers by the values of a form, before they are saved. */
export function enteredAddress({ public_host, ...values }: AddressValues) {
  const { host, port } = customerAddress({ ...values, public_host: public_host?.trim() || null });
  return { host: host.trim(), port };
}

type EnteredValues = Pick<ServerValues, 'protocol' | 'des_key' | 'newcamd_ports'>;

/** The C and N lines that customers of the server would enter for an address. */
export function serverLines(server: EnteredValues, address: { host: string; port: number }) {
  return enteredLines(server, [`${address.host}:${address.port}`]);
}

export type ServerFormOf = UseFormReturn<ServerValues, unknown, ServerValues>;

/** The labels of the fields. */
export const fieldTexts = {
  server_name: 'form.server_name',
  host_ip: 'field.host_ip',
  port: 'form.port',
  api_port: 'field.api_port',
  api_scheme: 'field.api_scheme',
  username: 'field.username',
  password: 'field.password',
  protocol: 'field.protocol',
  repair_automatically: 'form.repair_automatically',
  closed_to_new_lines: 'page.sellers.offered',
  max_lines: 'field.max_lines',
  public_host: 'field.public_host',
  public_port: 'field.public_port',
  des_key: 'field.des_key',
  newcamd_ports: 'field.newcamd_ports',
  kind: 'form.kind',
  tls_fingerprint: 'webif.step.certificate',
  plain_http_allowed: 'form.plain_http_allowed',
} as const satisfies Record<keyof ServerValues, string>;

/** Returns the props of a field of the form by its name. */
export function useServerField({ control }: ServerFormOf) {
  const { t } = useTranslation('servers');
  return (name: keyof ServerValues) => ({ control, name, label: t(fieldTexts[name]) });
}
