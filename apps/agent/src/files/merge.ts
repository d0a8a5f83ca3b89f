import { bytesOf, isAscii, isText, respelled, textOf } from '@linekeeper/oscam/bytes.ts';
import {
  isSameRecord,
  type RecordChange,
  type RowFacts,
  type RowRecord,
  type RowRecords,
} from '../row-records.ts';
import { type Spelling, shownBy, UNSEEN } from '../spelling.ts';
import type { Account } from '../store.ts';
import { type Format, linesOf, type Row, trimBlanks } from './formats.ts';
import { block, type FoundRows, type ParsedFile, type Piece, parseFile } from './parsed-file.ts';

/** The agent's records of one file, by names as bytes (see `bytesOf`). */
export type Records = {
  accountOf(name: string): Account | undefined;
  /** Whether the name was deleted while its row may still be in the file. */
  isDeleted(name: string): boolean;
  rowOf(name: string): RowRecord | undefined;
  passwords: Pick<RowRecords, 'hadPassword' | 'hadPasswordEarlier'>;
  /** The settings of new rows, and those that new rows got under earlier settings of the agent. */
  grant: string;
  formerGrants: ReadonlySet<string>;
};

export type Merged = ReturnType<typeof mergeFile>;

/** The name by which the records have a row, whose bytes may be in another encoding. */
function knownName(name: string, records: Records): string {
  const isKnown = (one: string) =>
    records.accountOf(one) !== undefined ||
    records.isDeleted(one) ||
    records.rowOf(one) !== undefined;
  return respelled(name).find(isKnown) ?? name;
}

function hasPassword({ password }: Row, account: Account | undefined): boolean {
  return password !== undefined && account !== undefined && isText(password, account.password);
}

/**
 * Divides the rows of one name into the agent's and the operator's. The agent's are rows that it wrote or took over
 * by its records, rows that equal the account, rows with an earlier password, which come out of a card server's
 * memory or an older text of the file, and rows in a block of version 1.0.0, which kept no records.
 */
function sidesOf(name: string, rows: Row[], records: Records): { ours: Row[]; byHand: Row[] } {
  if (records.rowOf(name)?.owned) return { ours: rows, byHand: [] };
  const account = records.accountOf(name);
  const isKnown = account !== undefined || records.isDeleted(name);
  const isAsWritten = ({ old, isPlain, grant }: Row) =>
    old === 'within' || (old === 'perhaps' && isPlain && records.formerGrants.has(grant));
  const isLeft = (row: Row) =>
    (isKnown && isAsWritten(row)) ||
    (row.password !== undefined && records.passwords.hadPassword(name, row.password));
  const isOurs = (row: Row) => isLeft(row) || (hasPassword(row, account) && !row.isOff);
  if (rows.every(isOurs)) return { ours: rows, byHand: [] };
  // Of a row that equals the account and one that does not, either may be the operator's: both stay.
  const ours = rows.filter(isLeft);
  return { ours, byHand: rows.filter((row) => !ours.includes(row)) };
}

export function byHandOf(name: string, rows: FoundRows, records: Records): Row[] {
  const isIt = (one: string) => one === name || respelled(one).includes(name);
  const names = isAscii(name) ? [name] : [...rows.keys()].filter(isIt);
  return sidesOf(
    name,
    names.flatMap((one) => rows.get(one) ?? []),
    records,
  ).byHand;
}

export function allByHand(rows: FoundRows, records: Records): Row[] {
  return [...rows].flatMap(([name, found]) => {
    return sidesOf(knownName(name, records), found, records).byHand;
  });
}

/** The encodings of a row of ours, as far as it shows them; those of before stay for the rest. */
function spellingOf(row: Row, account: Account | undefined, known: Spelling = UNSEEN): Spelling {
  return {
    name: row.encoding ?? shownBy(row.name, textOf(row.name)) ?? known.name,
    password: shownBy(row.password, account?.password) ?? known.password,
  };
}

function recordOf(row: Row, format: Format, records: Records): RowRecord {
  const { grant, formerGrants } = records;
  const known = records.rowOf(row.name);
  // A card server that saves the file may still remember an earlier setting.
  const mayBeFormer = !known?.owned || (format.isSavedByServer && known.granted !== undefined);
  const isGranted =
    (known?.owned && known.granted === row.grant) || (mayBeFormer && formerGrants.has(row.grant));
  return {
    owned: true,
    rest: isGranted && row.isPlain ? undefined : row.rest,
    granted: isGranted ? grant : undefined,
    spelling: spellingOf(row, records.accountOf(row.name), known?.spelling),
  };
}

/** Decides about each row; the pieces of the file keep their order. */
function decide(
  file: ParsedFile,
  format: Format,
  isLive: (account: Account) => boolean,
  records: Records,
) {
  const byHand = new Map<string, Row[]>();
  /** Names whose rows are ours and stay, with the new record of each. */
  const ours = new Map<string, RecordChange>();
  /** Names whose rows were out of the file and came back with an older text of it. */
  const broughtBack: string[] = [];
  /** To be stored before the file is replaced, because they are read from rows that change. */
  const facts: RowFacts = { rows: new Map(), passwords: [] };
  /** New lines of the agent's rows; empty for rows that are removed. */
  const edited = new Map<Row, string[]>();

  for (const [name, found] of file.rows) {
    const sides = sidesOf(name, found, records);
    const isByHand = sides.byHand.length > 0;
    if (isByHand) {
      byHand.set(
        name,
        sides.byHand.map((row) => ({ ...row, old: undefined })),
      );
    }
    for (const row of sides.ours) edited.set(row, []);
    const account = records.accountOf(name);
    const known = records.rowOf(name);
    if (sides.ours.length > 0 && !account && !known?.owned && !records.isDeleted(name)) {
      broughtBack.push(name);
    }
    const isOfNow = (one: Row) =>
      one.password === undefined ||
      hasPassword(one, account) ||
      !records.passwords.hadPasswordEarlier(name, one.password);
    const row =
      sides.ours.find((one) => hasPassword(one, account) && !one.isOff) ??
      (known?.owned ? sides.ours.find(isOfNow) : found.find(({ old }) => old !== undefined));
    if (!row) continue;
    const record = recordOf(row, format, records);
    if (known?.owned && sides.ours.length > 0) {
      if (!isSameRecord(known, record)) facts.rows.set(name, record);
      for (const one of sides.ours) {
        if (one.password === undefined || hasPassword(one, account)) continue;
        if (!records.passwords.hadPassword(name, one.password))
          facts.passwords.push([name, one.password]);
      }
    }
    if (!account || !isLive(account) || isByHand) continue;
    const { granted, spelling } = record;
    edited.set(row, format.edit(row, account, { grant: granted, spelling }));
    ours.set(name, { known, record });
  }
  return { byHand, ours, broughtBack, facts, edited };
}

const isBlankLine = (piece: Piece | undefined) =>
  typeof piece === 'string' && trimBlanks(piece) === '';

/** True at the start of the file and behind a blank line. */
function endsBlank(texts: string[]): boolean {
  const last = texts.findLast((text) => text !== '');
  return last === undefined || isBlankLine(linesOf(last).at(-1));
}

type Added = { name: string; text: string };

/** The text of these pieces, with new rows before the first row of ours that has a greater name. */
function joined(pieces: Piece[], edited: Map<Row, string[]>, added: Added[] = []): string {
  const texts: string[] = [];
  let next = 0;
  let isBehindGone = false;
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      // A removed row takes one of the blank lines around it along, or they would add up.
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
  { parts, blockAt }: ParsedFile,
  edited: Map<Row, string[]>,
  added: Added[],
  instance: string,
): string {
  const above: Piece[] = [];
  const below: Piece[] = [];
  let inside: Piece[] | undefined;
  const isOwn = (piece: Piece) => typeof piece !== 'string' && edited.has(piece);
  for (const [index, { pieces, place, isOld }] of parts.entries()) {
    // Version 1.0.0 replaced everything in its block, as its note there said.
    const kept = isOld && place === 'block' ? pieces.filter(isOwn) : pieces;
    if (blockAt === undefined || index < blockAt) above.push(...kept);
    else if (place === 'block' && inside === undefined) inside = kept;
    else if (place === 'torn' && index === blockAt) {
      // A BEGIN whose END is lost still has the rows of ours that follow it.
      const end = kept.findIndex((piece) => !isOwn(piece));
      const own = end < 0 ? kept : kept.slice(0, end);
      if (own.length > 0) inside = own;
      below.push(...kept.slice(own.length));
    } else below.push(...kept);
  }
  const head = joined(above, edited);
  if (blockAt === undefined && added.length === 0) return head;
  // If the last line has no line feed, our first line would be joined to it.
  const joint = head === '' || head.endsWith('\n') ? '' : '\n';
  const body = joined(inside ?? [], edited, added);
  const whole = body === '' || body.endsWith('\n') ? body : `${body}\n`;
  return head + joint + block(instance, whole) + joined(below, edited);
}

/**
 * Writes the accounts into the file: the agent's rows are edited in place, missing ones are added, deleted and
 * expired ones removed, and everything else stays byte for byte. A name whose row the operator keeps gets no second
 * row, because a card server that finds a name twice picks one by its own rules. Throws `ForeignBlock` if the file has
 * another agent's block.
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
    if (!isLive(account) || decided.ours.has(name) || decided.byHand.has(name)) continue;
    const known = records.rowOf(name);
    const { rest, granted, spelling = UNSEEN } = decided.facts.rows.get(name) ?? known ?? {};
    const isGranted = rest === undefined || granted !== undefined;
    const record = { owned: true, rest, granted: isGranted ? records.grant : undefined, spelling };
    added.push({ name, text: format.write(account, { rest, grant: record.granted, spelling }) });
    decided.ours.set(name, { known, record });
  }
  const text = assemble(file, edited, added, instance);
  return { bytes: Buffer.from(text, 'latin1'), ...decided };
}
