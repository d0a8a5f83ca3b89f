/** What is wrong with one row, by the name of its field; '' is the row as a whole. */
export class RowFault extends Error {
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/** What became of a row, or in a dry run would become of it. */
export type Outcome =
  | { kind: 'new'; warning?: string }
  | { kind: 'same' }
  | { kind: 'differs'; fields: string[] };

/** `same` where no field differs. */
export function comparison(fields: string[]): Outcome {
  return fields.length > 0 ? { kind: 'differs', fields } : { kind: 'same' };
}

/** A line as a file names it: texts as they stand there, null where it says nothing. */
export interface FoundLine {
  /** The row as a spreadsheet counts it, or the line of a configuration file. */
  number: number;
  username: string;
  password: string;
  expiry: string | null;
  owner: string | null;
  server: string | null;
  name: string | null;
  email: string | null;
  notes: string | null;
  is_suspended: boolean | null;
  fault: RowFault | null;
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

export const noLine: Omit<FoundLine, 'number' | 'username' | 'password'> = {
  expiry: null,
  owner: null,
  server: null,
  name: null,
  email: null,
  notes: null,
  is_suspended: null,
  fault: null,
};

/** What a file holds; `ignored` are columns that have no meaning here. */
export type FoundFile =
  | { kind: 'lines'; format: string; rows: FoundLine[]; ignored: string[] }
  | { kind: 'accounts'; format: string; rows: FoundAccount[]; ignored: string[] };
