import { type FileFault, faultText } from '@linekeeper/line-files/faults.ts';

/** Problem of one row, by the name of its field; '' is the row as a whole. */
export class RowFault extends Error {
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/** Fields as the command has always called them. */
const spoken: Record<string, string> = { expiry_date: 'expiry', added_date: 'added' };

export function rowFault(fault: FileFault): RowFault {
  return new RowFault(spoken[fault.field] ?? fault.field, faultText(fault));
}

/** The result of a row, or in a dry run the expected one; `what` names server and account. */
export type Outcome =
  | { kind: 'new'; what?: string; warning?: string }
  | { kind: 'same' }
  | { kind: 'differs'; fields: string[] }
  /** A line of this name is on another server than the one for which it was to be adopted. */
  | { kind: 'elsewhere'; server: string; wanted: string; fields: string[] };

/** `same` where no field differs. */
export function comparison(fields: string[]): Outcome {
  return fields.length > 0 ? { kind: 'differs', fields } : { kind: 'same' };
}

/** An account as a file names it. */
export interface FoundAccount {
  number: number;
  email: string;
  password: string | null;
  username: string | null;
  full_name: string | null;
  group: string | null;
  credits: string | null;
  owner: string | null;
  notes: string | null;
  fault: RowFault | null;
}
