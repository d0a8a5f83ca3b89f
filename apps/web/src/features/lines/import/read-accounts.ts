import type { AccountRow } from '@linekeeper/contract/accounts/import-accounts.ts';
import { unescapeFormula } from '@linekeeper/contract/lines/csv.ts';
import { type TableRow, titlesOf } from '@linekeeper/line-files/csv-table.ts';
import type { FileFault } from '@linekeeper/line-files/faults.ts';
import { plain } from '@linekeeper/line-files/plain.ts';
import type { TableFile } from '@linekeeper/line-files/read-file.ts';

type Column = keyof AccountRow;

/** The usual headings of each column, in small letters and digits only. */
const headings: Record<Column, string> = {
  email: 'email mail emailaddress',
  password: 'password pass pwd passwd',
  username: 'username user login',
  full_name: 'fullname name customer realname',
  group: 'group groupname groupid role',
  credits: 'credits balance openingcredits',
  owner: 'owner reseller owneremail reselleremail ownername createdby member parent',
  notes: 'notes note comment comments description resellernotes adminnotes',
};
const columnByHeading = new Map(
  (Object.keys(headings) as Column[]).flatMap((column) =>
    headings[column].split(' ').map((heading) => [heading, column] as const),
  ),
);
/** Columns from which it is clear that a file contains lines. */
const ofLines =
  /^(?:expir\w*|exp|expdate|enddate|end|validuntil|ablauf\w*|server\w*|status|state|\w*enabled|disabled|banned)$/;
/** Columns that may be missing, without changing the meaning of a row. */
const spare: readonly Column[] = ['email', 'full_name', 'notes'];

/** An account in the form in which a row names it. */
export interface FoundAccount {
  number: number;
  row: AccountRow;
  fault: FileFault | null;
}

export interface AccountsFile {
  accounts: FoundAccount[];
  /** The headings of the file, for the download of refused rows. */
  headings: string[];
  rows: Pick<TableRow, 'number' | 'cells'>[];
  /** Columns that are not read. */
  ignored: string[];
}

/** True if the columns are those of accounts. */
function holdsAccounts(headingsOfFile: readonly string[]): boolean {
  const names = headingsOfFile.map(plain);
  const columns = new Set(names.map((name) => columnByHeading.get(name)));
  const isOfLines = names.some((name) => ofLines.test(name));
  return columns.has('email') && !isOfLines && (columns.has('group') || columns.has('credits'));
}

type ColumnOrder = readonly (Column | null)[];

function lengthFault(row: TableRow, headingCells: number, order: ColumnOrder): FileFault | null {
  const { count } = row;
  const columns = order.length;
  if (count > headingCells) {
    return { field: '', code: 'TOO_MANY_CELLS', data: { cells: count, columns } };
  }
  const missing = order.slice(count).filter((column) => column !== null);
  const isCut = row.isLast ? count < columns : missing.some((column) => !spare.includes(column));
  return isCut ? { field: '', code: 'CUT_OFF', data: { cells: count, columns } } : null;
}

/** The accounts of a table; null if its columns are not those of accounts. */
export function accountsOf(file: TableFile): AccountsFile | null {
  if (!holdsAccounts(file.all[0]?.cells ?? [])) return null;
  const { headings: names, headingCells, rows } = titlesOf(file, true);
  const ignored: string[] = [];
  const order: (Column | null)[] = [];
  for (const heading of names) {
    const column = columnByHeading.get(plain(heading)) ?? null;
    const isNew = column !== null && !order.includes(column);
    if (!isNew && heading.trim() !== '') ignored.push(heading.trim());
    order.push(isNew ? column : null);
  }
  const accounts = rows.map((row): FoundAccount => {
    const cells = order.flatMap((column, index) => {
      const cell = unescapeFormula(row.cells[index] ?? '');
      return column === null || cell.trim() === '' ? [] : [[column, cell] as const];
    });
    const fault = lengthFault(row, headingCells, order);
    return { number: row.number, row: Object.fromEntries(cells), fault };
  });
  return { accounts, headings: names, rows, ignored };
}
