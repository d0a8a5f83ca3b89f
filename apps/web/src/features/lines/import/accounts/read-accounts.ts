import { unescapeFormula } from '@linekeeper/contract/lines/csv.ts';
import { readTable, type Table } from '@linekeeper/line-files/csv-table.ts';
import type { DecodedText } from '@linekeeper/line-files/decode.ts';
import { plain } from '@linekeeper/line-files/plain.ts';
import { type FoundAccount, RowFault } from './outcome.ts';

/** The usual headings of each column, in small letters and digits only. */
const headings = {
  email: 'email mail emailaddress',
  password: 'password pass pwd passwd',
  username: 'username user login',
  full_name: 'fullname name customer realname',
  group: 'group groupname groupid role',
  credits: 'credits balance openingcredits',
  owner: 'owner reseller owneremail reselleremail ownername createdby member parent',
  notes: 'notes note comment comments description resellernotes adminnotes',
} as const;
type Column = keyof typeof headings;
const columnByHeading = new Map(
  (Object.keys(headings) as Column[]).flatMap((column) =>
    headings[column].split(' ').map((heading) => [heading, column] as const),
  ),
);
/** Columns that say that a file is one of lines. */
const ofLines =
  /^(?:expir\w*|exp|expdate|enddate|end|validuntil|ablauf\w*|server\w*|status|state|\w*enabled|disabled|banned)$/;
/** Columns that a row may lack without a change of meaning. */
const spare: readonly Column[] = ['email', 'full_name', 'notes'];

export interface AccountsTable {
  rows: FoundAccount[];
  /** Columns that have no meaning here. */
  ignored: string[];
}

/** Whether the columns are those of accounts. */
export function holdsAccounts(headingsOfFile: readonly string[]): boolean {
  const names = headingsOfFile.map(plain);
  const columns = new Set(names.map((name) => columnByHeading.get(name)));
  const isOfLines = names.some((name) => ofLines.test(name));
  return columns.has('email') && !isOfLines && (columns.has('group') || columns.has('credits'));
}

type ColumnOrder = readonly (Column | null)[];

function lengthFault(row: Table['rows'][number], table: Table, order: ColumnOrder) {
  const { count } = row;
  const columns = order.length;
  if (count > table.headingCells) {
    return new RowFault('', `The row has ${count} cells, but there are ${columns} headings`);
  }
  const missing = order.slice(count).filter((column) => column !== null);
  const isCut = row.isLast ? count < columns : missing.some((column) => !spare.includes(column));
  if (!isCut) return null;
  return new RowFault(
    '',
    `The row has ${count} of ${columns} cells and may be cut off. Include its empty cells too.`,
  );
}

/** The accounts of a CSV file. Throws a sentence where no column holds emails, and a QuoteFault. */
export function readAccounts(decoded: DecodedText): AccountsTable {
  const limits = { rows: Number.POSITIVE_INFINITY, columns: Number.POSITIVE_INFINITY };
  const read = readTable(decoded, limits, { hasHeadings: true });
  const table = 'table' in read ? read.table : null;
  const names = table?.headings ?? [];
  const ignored: string[] = [];
  const order: (Column | null)[] = [];
  for (const heading of names) {
    const column = columnByHeading.get(plain(heading)) ?? null;
    const isNew = column !== null && !order.includes(column);
    if (!isNew && heading.trim() !== '') ignored.push(heading.trim());
    order.push(isNew ? column : null);
  }
  if (!table || !order.includes('email')) {
    throw new Error('The first row names no column email. Nothing was read');
  }
  const rows = table.rows.map((row): FoundAccount => {
    const cellOf = (column: Column) => {
      const cell = unescapeFormula(row.cells[order.indexOf(column)] ?? '');
      return cell.trim() === '' ? null : cell;
    };
    const { number } = row;
    return {
      number,
      email: cellOf('email') ?? '',
      password: cellOf('password'),
      username: cellOf('username'),
      full_name: cellOf('full_name'),
      group: cellOf('group'),
      credits: cellOf('credits'),
      owner: cellOf('owner'),
      notes: cellOf('notes'),
      fault: lengthFault(row, table, order),
    };
  });
  return { rows, ignored };
}
