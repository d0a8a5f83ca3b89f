import { formatDay } from '@linekeeper/contract/dates.ts';
import { changedPassword } from '@linekeeper/contract/fields/line-credentials.ts';
import {
  type LineDetailName,
  lineDetails,
  ofLineDetails,
} from '@linekeeper/contract/fields/line-details.ts';
import { lineChanges } from '@linekeeper/contract/lines/line-changes.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import type { UseFormReturn } from 'react-hook-form';
import * as z from 'zod';

/** Splits a text with one entry per line; empty lines are dropped. */
export function entriesOf(text: string): string[] {
  return text
    .split('\n')
    .map((entry) => entry.trim())
    .filter(Boolean);
}

/** Validates a list that is entered as text; an invalid entry is an error of the whole field. */
function listText<List extends z.ZodType>(list: List, toItem: (entry: string) => unknown) {
  return z.string().transform((text, check): z.output<List> => {
    const parsed = list.safeParse(entriesOf(text).map(toItem));
    if (parsed.success) return parsed.data;
    check.addIssue({ code: 'custom', message: parsed.error.issues[0]?.message ?? '' });
    return z.NEVER;
  });
}

/** An empty password field keeps the stored password. */
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

/** The panel stores a word for some empty fields, and forms show an empty field instead. */
function enteredDetail(line: Line, name: LineDetailName) {
  const { whenEmpty = null } = lineDetails[name];
  return line[name] === whenEmpty ? '' : line[name];
}

export function storedValues(line: Line): EditLineValues {
  return {
    username: line.username,
    password: '',
    protocol: line.protocol,
    expiry_date: formatDay(line.expiry_date),
    owner_id: line.owner_id,
    server_id: line.server_id,
    host_port: line.host_port.join('\n'),
    status: line.status.map(({ label }) => label).join('\n'),
    ...(ofLineDetails((name) => enteredDetail(line, name)) as Pick<EditLineValues, LineDetailName>),
    sharing_exempt: line.sharing_exempt,
  };
}
