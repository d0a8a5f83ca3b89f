import {
  bytesOf,
  encodingOf,
  isAscii,
  isText,
  respelled,
  textOf,
} from '@linekeeper/oscam/bytes.ts';
import {
  isSameRecord,
  keptOf,
  type RecordChange,
  type RowFacts,
  type RowRecord,
  type RowRecords,
  shownBy,
  UNSEEN,
} from '../row-records.ts';
import type { Account } from '../store.ts';
import { ForeignBlock } from './atomic-write.ts';
import { type Format, linesOf, type Row, trimBlanks } from './formats.ts';

const BEGIN = '# BEGIN linekeeper';
const END = '# END linekeeper';
// Contains no '=', because oscam reads every line with one as a setting.
const NOTE =
  '# New rows of the linekeeper agent. Name, password and last day are its own, the rest is yours.';
const INSTANCE = /^# Instance ([0-9a-f-]{36})$/;

/** A row, or a line outside of rows. */
type Piece = Row | string;

/** The rows of a file by their usernames. */
export type FoundRows = ReadonlyMap<string, Row[]>;

/** A parsed file. `begin` is the index of the piece after the agent's BEGIN; undefined without one. */
type ParsedFile = { pieces: Piece[]; rows: FoundRows; blockAt: number | undefined };

/** The line without blanks around it if it can be a mark; empty for all other lines, to save trimming them. */
const markOf = (line: string) => (line.includes('# ') ? trimBlanks(line) : '');

/**
 * Splits a card server's file into rows and other lines, without the agent's marks. A mark does not
 * decide who owns a row, because OSCam drops marks with each save. BEGIN is the place for new rows,
 * and the instance names the agent that wrote them. `nameOf` returns the name by which the agent
 * knows a row. Throws `ForeignBlock` for another agent's block.
 */
export function parseFile(
  bytes: Buffer,
  format: Format,
  instance: string,
  nameOf: (name: string) => string = (name) => name,
): ParsedFile {
  const pieces: Piece[] = [];
  let blockAt: number | undefined;
  let lines: string[] = [];
  const endPart = () => {
    pieces.push(...format.split(lines));
    lines = [];
  };
  for (const line of linesOf(bytes.toString('latin1'))) {
    const mark = markOf(line);
    const owner = INSTANCE.exec(mark)?.[1];
    const isInBlock = blockAt !== undefined && (mark === END || mark === NOTE || owner);
    if (mark !== BEGIN && !isInBlock) {
      lines.push(line);
      continue;
    }
    if (owner !== undefined && owner !== instance) throw new ForeignBlock(owner);
    endPart();
    blockAt ??= pieces.length;
  }
  endPart();
  const rows = new Map<string, Row[]>();
  for (const row of pieces) {
    if (typeof row === 'string') continue;
    const name = nameOf(row.name);
    row.encoding = encodingOf(row.name, textOf(name));
    row.name = name;
    const others = rows.get(name);
    if (others) others.push(row);
    else rows.set(name, [row]);
  }
  return { pieces, rows, blockAt };
}

/** The agent's records of one file, by names as bytes (see `bytesOf`). */
export type Records = {
  accountOf(name: string): Account | undefined;
  rowOf(name: string): RowRecord | undefined;
  passwords: Pick<RowRecords, 'customerWith'>;
  /** The agent's setting for new rows. */
  grant: string;
};

export type Merged = ReturnType<typeof mergeFile>;

/** The name by which the records have a row, whose bytes may be in another encoding. */
function knownName(name: string, records: Records): string {
  const isKnown = (one: string) =>
    records.accountOf(one) !== undefined || records.rowOf(one) !== undefined;
  return respelled(name).find(isKnown) ?? name;
}

function hasPassword({ password }: Row, account: Account | undefined): boolean {
  return password !== undefined && account !== undefined && isText(password, account.password);
}

/**
 * Divides the rows with one name into the agent's and the operator's. The agent's are rows that it wrote or took over
 * by its records, rows that equal the account, and rows with an earlier password, which come from a card server's
 * memory or an older text of the file.
 */
function sidesOf(name: string, rows: Row[], records: Records): { ours: Row[]; operators: Row[] } {
  if (records.rowOf(name)?.owned) return { ours: rows, operators: [] };
  const account = records.accountOf(name);
  const isFormer = ({ password }: Row) =>
    password !== undefined && records.passwords.customerWith(name, password) !== undefined;
  const isOurs = (row: Row) => isFormer(row) || (hasPassword(row, account) && !row.isOff);
  if (rows.every(isOurs)) return { ours: rows, operators: [] };
  // Either the row that equals the account or the other one may be the operator's, so both stay.
  const ours = rows.filter(isFormer);
  return { ours, operators: rows.filter((row) => !ours.includes(row)) };
}

export function operatorRowsOf(name: string, rows: FoundRows, records: Records): Row[] {
  const isIt = (one: string) => one === name || respelled(one).includes(name);
  const names = isAscii(name) ? [name] : [...rows.keys()].filter(isIt);
  return sidesOf(
    name,
    names.flatMap((one) => rows.get(one) ?? []),
    records,
  ).operators;
}

export function allOperatorRows(rows: FoundRows, records: Records): Row[] {
  return [...rows].flatMap(([name, found]) => {
    return sidesOf(knownName(name, records), found, records).operators;
  });
}

/** The record of one of the agent's rows, by its current text in the file. */
function recordOf(row: Row, { grantedSetting }: Format, records: Records): RowRecord {
  const known = records.rowOf(row.name);
  const said = known?.said ?? {};
  const isGranted =
    said[grantedSetting] !== undefined ||
    row.grant === (known?.owned ? known.granted : records.grant);
  const { name, password } = known?.spelling ?? UNSEEN;
  return {
    owned: true,
    said,
    rest: isGranted && row.isPlain ? undefined : row.rest,
    granted: isGranted ? row.grant : undefined,
    // The encodings that the row shows; for any other part the former encoding stays.
    spelling: {
      name: row.encoding ?? shownBy(row.name, textOf(row.name)) ?? name,
      password: shownBy(row.password, records.accountOf(row.name)?.password) ?? password,
    },
  };
}

/** Decides which rows are kept, edited, added or removed; the pieces of the file keep their order. */
function decide(
  file: ParsedFile,
  format: Format,
  isLive: (account: Account) => boolean,
  records: Records,
) {
  const operators = new Map<string, Row[]>();
  /** Names of the agent's rows that stay in the file, each with its new record. */
  const ours = new Map<string, RecordChange>();
  /** Names whose rows had been removed from the file, and returned with an older text of it. */
  const broughtBack: string[] = [];
  /** Facts to store before the file is replaced, because they are read from rows that change. */
  const facts: RowFacts = { rows: new Map(), passwords: [] };
  /** New lines of the agent's rows; empty for rows that are removed. */
  const edited = new Map<Row, string[]>();

  for (const [name, rows] of file.rows) {
    const sides = sidesOf(name, rows, records);
    const hasOperatorRow = sides.operators.length > 0;
    if (hasOperatorRow) operators.set(name, sides.operators);
    for (const row of sides.ours) edited.set(row, []);
    const account = records.accountOf(name);
    const known = records.rowOf(name);
    if (sides.ours.length > 0 && !account && !known?.owned) broughtBack.push(name);
    const isOfNow = (one: Row) =>
      one.password === undefined ||
      hasPassword(one, account) ||
      records.passwords.customerWith(name, one.password) !== 'earlier';
    const row =
      sides.ours.find((one) => hasPassword(one, account) && !one.isOff) ??
      (known?.owned ? sides.ours.find(isOfNow) : undefined);
    if (!row) continue;
    const found = recordOf(row, format, records);
    if (known?.owned) {
      if (!isSameRecord(known, found)) facts.rows.set(name, found);
      for (const one of sides.ours) {
        if (one.password === undefined || hasPassword(one, account)) continue;
        if (!records.passwords.customerWith(name, one.password))
          facts.passwords.push([name, one.password]);
      }
    }
    if (!account || !isLive(account) || hasOperatorRow) continue;
    const { spelling, said } = found;
    const { [format.grantedSetting]: given, ...others } = said;
    const grant = found.granted === undefined ? undefined : (given ?? records.grant);
    edited.set(row, format.edit(row, account, { grant, spelling, said: others }));
    const record = { ...found, granted: grant, said: keptOf(said) };
    ours.set(name, { known: facts.rows.get(name) ?? known, record });
  }
  return { operators, ours, broughtBack, facts, edited };
}

const isBlankLine = (piece: Piece | undefined) =>
  typeof piece === 'string' && trimBlanks(piece) === '';

/** True at the start of the file and after a blank line. */
function endsBlank(texts: string[]): boolean {
  const last = texts.findLast((text) => text !== '');
  return last === undefined || isBlankLine(linesOf(last).at(-1));
}

type Added = { name: string; text: string };

/** The text of these pieces, with new rows before the first of the agent's rows that has a greater name. */
function joined(pieces: Piece[], edited: Map<Row, string[]>, added: Added[] = []): string {
  const texts: string[] = [];
  let next = 0;
  let isBehindGone = false;
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      // One of the blank lines around a removed row is removed too, because blank lines would accumulate.
      if (!(isBehindGone && isBlankLine(piece) && endsBlank(texts))) texts.push(piece);
      isBehindGone = false;
      continue;
    }
    const lines = edited.get(piece);
    isBehindGone = lines?.length === 0;
    for (; lines?.length && (added[next]?.name ?? piece.name) < piece.name; next += 1) {
      texts.push(added[next]?.text ?? '');
    }
    texts.push((lines ?? piece.lines).join(''));
  }
  return texts.concat(added.slice(next).map(({ text }) => text)).join('');
}

function assemble(
  { pieces, blockAt }: ParsedFile,
  edited: Map<Row, string[]>,
  added: Added[],
  instance: string,
): string {
  if (blockAt === undefined && added.length === 0) return joined(pieces, edited);
  const begin = blockAt ?? pieces.length;
  // The agent's rows that follow BEGIN are in the block, so that a lost END does no harm.
  const isOther = (piece: Piece, index: number) =>
    index >= begin && (typeof piece === 'string' || !edited.has(piece));
  const other = pieces.findIndex(isOther);
  const end = other < 0 ? pieces.length : other;
  const head = joined(pieces.slice(0, begin), edited);
  // If the last line has no line feed, the block's first line would be joined to it.
  const joint = head === '' || head.endsWith('\n') ? '' : '\n';
  const body = joined(pieces.slice(begin, end), edited, added);
  const whole = body === '' || body.endsWith('\n') ? body : `${body}\n`;
  // The block has line feeds only, because a carriage return would become part of a password.
  const block = `${BEGIN}\n${NOTE}\n# Instance ${instance}\n${whole}${END}\n`;
  return head + joint + block + joined(pieces.slice(end), edited);
}

/**
 * Writes the accounts into the file: the agent's rows are edited in place, missing ones are added,
 * deleted and expired ones removed, and all other text stays byte for byte. A name whose row the
 * operator keeps gets no second row, because a card server that finds a name twice picks one by its
 * own rules. Throws `ForeignBlock` if the file has another agent's block.
 */
export function mergeFile(
  before: Buffer,
  format: Format,
  accounts: Account[],
  {
    instance,
    isLive,
    ...records
  }: Records & { instance: string; isLive(account: Account): boolean },
) {
  const file = parseFile(before, format, instance, (name) => knownName(name, records));
  const { edited, ...decided } = decide(file, format, isLive, records);
  const added: Added[] = [];
  for (const account of accounts) {
    const name = bytesOf(account.username);
    if (!isLive(account) || decided.ours.has(name) || decided.operators.has(name)) continue;
    const known = decided.facts.rows.get(name) ?? records.rowOf(name);
    const { rest, granted, spelling = UNSEEN, said = {} } = known ?? {};
    const { [format.grantedSetting]: given, ...others } = said;
    const isGranted = rest === undefined || granted !== undefined || given !== undefined;
    const grant = isGranted ? (given ?? records.grant) : undefined;
    added.push({ name, text: format.write(account, { rest, grant, spelling, said: others }) });
    const record = { owned: true, rest, granted: grant, spelling, said: keptOf(said) };
    decided.ours.set(name, { known, record });
  }
  const text = assemble(file, edited, added, instance);
  return { bytes: Buffer.from(text, 'latin1'), ...decided };
}
