import { showDay } from '@linekeeper/contract/dates.ts';
import { lineChanges } from '@linekeeper/contract/line-changes.ts';
import { changedPassword } from '@linekeeper/contract/line-credentials.ts';
import type { Line } from '@linekeeper/contract/lines.ts';
import type { UseFormReturn } from 'react-hook-form';
import * as z from 'zod';

/** The entries of a text that has one a line. */
export function entriesOf(text: string): string[] {
  return text
    .split('\n')
    .map((entry) => entry.trim())
    .filter(Boolean);
}

/** A list as the contract takes it, entered as text; what is wrong with an entry is said of the field. */
function listText<List extends z.ZodType>(list: List, toItem: (entry: string) => unknown) {
  return z.string().transform((text, check): z.output<List> => {
    const parsed = list.safeParse(entriesOf(text).map(toItem));
    if (parsed.success) return parsed.data;
    check.addIssue({ code: 'custom', message: parsed.error.issues[0]?.message ?? '' });
    return z.NEVER;
  });
}

/** Left empty, the password stays. */
const passwordOrNone = z.string().superRefine((text, check) => {
  if (text === '') return;
  for (const issue of changedPassword.safeParse(text).error?.issues ?? []) {
    check.addIssue({ ...issue, path: [] } as Parameters<typeof check.addIssue>[0]);
  }
});

const { username, protocol, expiry_date, owner_id, server_id, host_port, status, ...texts } =
  lineChanges.omit({ password: true }).shape;

export const editLineForm = z.object({
  ...texts,
  username: username.unwrap(),
  password: passwordOrNone,
  protocol: protocol.unwrap(),
  expiry_date: expiry_date.unwrap(),
  owner_id,
  server_id,
  host_port: listText(host_port.unwrap(), (entry) => entry),
  status: listText(status.unwrap(), (label) => ({ label })),
});
export type EditLineValues = z.input<typeof editLineForm>;
export type LineForm = UseFormReturn<EditLineValues, unknown, z.output<typeof editLineForm>>;

export function storedValues(line: Line): EditLineValues {
  return {
    username: line.username,
    password: '',
    protocol: line.protocol,
    expiry_date: showDay(line.expiry_date),
    owner_id: line.owner_id,
    server_id: line.server_id,
    host_port: line.host_port.join('\n'),
    status: line.status.map(({ label }) => label).join('\n'),
    live_channel: line.live_channel,
    info: line.info,
    user_value: line.user_value ?? '',
    name: line.name ?? '',
    company: line.company ?? '',
    role: line.role ?? '',
    avatar_url: line.avatar_url ?? '',
    email: line.email ?? '',
    notes: line.notes ?? '',
  };
}

/** What is stored otherwise than it was. */
export function changedMeanwhile(before: EditLineValues, now: EditLineValues) {
  const names = Object.keys(now) as (keyof EditLineValues)[];
  return names.filter((name) => before[name] !== now[name]);
}
