import { unescapeFormula } from '@linekeeper/contract/lines/csv.ts';
import papaparse from 'papaparse';
import { type FoundAccount, type FoundFile, type FoundLine, RowFault } from './outcome.ts';

/** The usual headings of each column, in small letters and digits only. */
const headings = {
  username: 'username user login line lineusername usr',
  password: 'password pass pwd passwd linepassword',
  expiry:
    'expiry expires expire expiration expirydate expirationdate expdate exp enddate end validuntil expiresat ablauf ablaufdatum',
  owner: 'owner reseller owneremail reselleremail ownername createdby member parent',
  server: 'server servername',
  email: 'email mail emailaddress',
  full_name: 'fullname name customer realname',
  notes: 'notes note comment comments description resellernotes adminnotes',
  group: 'group groupname groupid role',
  credits: 'credits balance openingcredits',
  status: 'status state',
  disabled: 'disabled isdisabled banned suspended',
  enabled: 'enabled isenabled active isactive',
} as const;
type Column = keyof typeof headings;
const columnByHeading = new Map(
  (Object.keys(headings) as Column[]).flatMap((column) =>
    headings[column].split(' ').map((heading) => [heading, column] as const),
  ),
);

type Cells = Partial<Record<Column, string>>;

interface Table {
  columns: Set<Column>;
  ignored: string[];
  rows: { number: number; cells: Cells; fault: RowFault | null }[];
}

const plain = (heading: string) => heading.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Rows as a spreadsheet counts them. Throws where quotes do not match. */
function cellsOf(text: string): string[][] {
  const [hint = '', given] = /^"?sep=([^"\r\n])"?(?:\r\n?|\n|$)/i.exec(text) ?? [];
  const { data, errors } = papaparse.parse<string[]>(text.slice(hint.length), {
    delimiter: given ?? '',
    delimitersToGuess: [',', ';', '\t', '|'],
  });
  const fault = errors.find(({ type }) => type === 'Quotes');
  if (fault) {
    throw new Error(`The quotes in row ${(fault.row ?? 0) + 1} do not match. Nothing was read`);
  }
  return data;
}

/** Columns without which a row means the same. */
const spare: readonly Column[] = ['email', 'full_name', 'notes'];

/**
 * A file that was cut off ends within a password, a day or before an owner. Some exporters leave out empty
 * cells at the end of a row, so a shorter row is refused where one of those is missing, and where nothing,
 * not even the end of a line, comes after it.
 */
function cutOff(
  places: readonly (Column | null)[],
  length: number,
  isEnd: boolean,
): RowFault | null {
  const missing = places.slice(length).filter((column) => column !== null);
  const isCut = isEnd ? length < places.length : missing.some((column) => !spare.includes(column));
  if (!isCut) return null;
  return new RowFault(
    '',
    `The row has ${length} of ${places.length} cells: it may be cut off. Write its empty cells too`,
  );
}

function readTable(text: string): Table {
  const [head = [], ...data] = cellsOf(text);
  const places: (Column | null)[] = [];
  const ignored: string[] = [];
  for (const heading of head) {
    const column = columnByHeading.get(plain(heading)) ?? null;
    const isNew = column !== null && !places.includes(column);
    if (!isNew && heading.trim() !== '') ignored.push(heading.trim());
    places.push(isNew ? column : null);
  }
  const hasEnd = /[\r\n]\s*$/.test(text);
  const rows = data.map((texts, index) => ({
    number: index + 2,
    cells: Object.fromEntries(
      places.flatMap((column, place) => {
        const cell = unescapeFormula(texts[place] ?? '');
        return column === null || cell.trim() === '' ? [] : [[column, cell]];
      }),
    ) as Cells,
    fault: cutOff(places, texts.length, !hasEnd && index === data.length - 1),
    isEmpty: texts.every((cell) => cell.trim() === ''),
  }));
  return {
    columns: new Set(places.filter((column) => column !== null)),
    ignored,
    rows: rows.filter(({ isEmpty }) => !isEmpty),
  };
}

const off = new Set([
  'disabled',
  'suspended',
  'banned',
  'inactive',
  'blocked',
  'off',
  'no',
  'false',
  '0',
]);
const on = new Set([
  'enabled',
  'active',
  'expired',
  'on',
  'yes',
  'true',
  '1',
  'trial',
  'online',
  'offline',
]);

/** Throws where it is not clear what a word says. */
function isOff(column: Column, cell: string): boolean {
  const word = plain(cell);
  // In a column called "disabled", yes means off.
  const isAnswer = ['yes', 'true', '1', 'no', 'false', '0'].includes(word);
  if (column === 'disabled' && isAnswer) return on.has(word);
  if (off.has(word)) return true;
  if (on.has(word)) return false;
  throw new RowFault(column, `"${cell.trim().slice(0, 40)}" says neither active nor disabled`);
}

type Suspended = Pick<FoundLine, 'is_suspended' | 'fault'>;

function suspensionOf(cells: Cells): Suspended {
  try {
    const said = (['disabled', 'enabled', 'status'] as const).flatMap((column) => {
      const cell = cells[column];
      return cell === undefined ? [] : [isOff(column, cell)];
    });
    return { is_suspended: said.length > 0 ? said.includes(true) : null, fault: null };
  } catch (error) {
    if (error instanceof RowFault) return { is_suspended: null, fault: error };
    throw error;
  }
}

function lineOf({ number, cells, fault }: Table['rows'][number]): FoundLine {
  const suspension = suspensionOf(cells);
  return {
    number,
    username: cells.username ?? '',
    password: cells.password ?? '',
    expiry: cells.expiry ?? null,
    owner: cells.owner ?? null,
    server: cells.server ?? null,
    name: cells.full_name ?? null,
    email: cells.email ?? null,
    notes: cells.notes ?? null,
    ...suspension,
    fault: fault ?? suspension.fault,
  };
}

const accountOf = ({ number, cells, fault }: Table['rows'][number]): FoundAccount => ({
  number,
  email: cells.email ?? '',
  password: cells.password ?? null,
  username: cells.username ?? null,
  full_name: cells.full_name ?? null,
  group: cells.group ?? null,
  credits: cells.credits ?? null,
  owner: cells.owner ?? null,
  notes: cells.notes ?? null,
  fault,
});

function holdsAccounts({ columns }: Table): boolean {
  const isOfLines = columns.has('expiry') || columns.has('server');
  return columns.has('email') && !isOfLines && (columns.has('group') || columns.has('credits'));
}

/** Columns that say something about the other kind only. */
const ofLines: readonly Column[] = ['expiry', 'server', 'status', 'disabled', 'enabled'];
const ofAccounts: readonly Column[] = ['group', 'credits'];

/** A CSV file of lines or of accounts, by its columns where `kind` is null. */
export function readCsv(text: string, kind: 'lines' | 'accounts' | null): FoundFile {
  const table = readTable(text);
  const meant = kind ?? (holdsAccounts(table) ? 'accounts' : 'lines');
  const needed: readonly Column[] = meant === 'accounts' ? ['email'] : ['username', 'password'];
  const missing = needed.filter((column) => !table.columns.has(column));
  if (missing.length > 0) {
    throw new Error(`The first row names no column ${missing.join(' and ')}. Nothing was read`);
  }
  const foreign = (meant === 'accounts' ? ofLines : ofAccounts).filter((column) =>
    table.columns.has(column),
  );
  const ignored = [...table.ignored, ...foreign];
  return meant === 'accounts'
    ? { kind: 'accounts', format: 'CSV of accounts', rows: table.rows.map(accountOf), ignored }
    : { kind: 'lines', format: 'CSV of lines', rows: table.rows.map(lineOf), ignored };
}
