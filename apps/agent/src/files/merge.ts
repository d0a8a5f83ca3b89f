import { isAscii, isText, respelled, textOf } from '@linekeeper/oscam/bytes.ts';
import { isSameRecord, type RecordChange, type RowFacts, type RowRecord } from '../row-records.ts';
import { type Spelling, shownBy, UNSEEN } from '../spelling.ts';
import type { Account } from '../store.ts';
import { type Format, linesOf, type Row, trimBlanks } from './formats.ts';
import {
  block,
  type Found,
  type FoundRows,
  type ParsedFile,
  type Piece,
  parseFile,
} from './parsed-file.ts';

/** The agent's records, by names as bytes (see `bytesOf`). */
export type Records = {
  accountOf(name: string): Account | undefined;
  /** Whether the name was deleted while its row may still be in the file. */
  isDeleted(name: string): boolean;
  rowOf(name: string): RowRecord | undefined;
  /** Whether a row of ours with this name ever had this password. */
  hadPassword(name: string, password: string): boolean;
  /** Whether the password belongs to an earlier customer with this name. */
  hadPasswordEarlier(name: string, password: string): boolean;
  /** The settings of new rows, and those that new rows got under earlier settings of the agent. */
  grant: string;
  formerGrants: ReadonlySet<string>;
};

export type Merged = {
  bytes: Buffer;
  /** Rows that are not ours. */
  byHand: FoundRows;
  /** Names whose rows are ours and are in `bytes`, with the new record of each. */
  ours: Map<string, RecordChange>;
  /** Names whose rows were out of the file and came back with an older text of it. */
  broughtBack: string[];
  /** Facts to be stored before the file is replaced, because they are read from rows that change. */
  facts: RowFacts;
};

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

function isEqual(row: Row, account: Account): boolean {
  return hasPassword(row, account) && !row.isOff;
}

type Sides = { ours: Row[]; byHand: Row[] };

/**
 * Divides the rows of one name into the agent's and the operator's. The agent's are rows that it wrote or took over
 * by its records, rows that equal the account, rows with an earlier password, which come out of a card server's
 * memory or an older text of the file, and rows in a block of version 1.0.0, which kept no records.
 */
function sidesOf(name: string, found: Found[], records: Records): Sides {
  const rows = found.map(({ row }) => row);
  if (records.rowOf(name)?.owned) return { ours: rows, byHand: [] };
  const account = records.accountOf(name);
  const isKnown = account !== undefined || records.isDeleted(name);
  const isAsWritten = ({ row, old }: Found) =>
    old === 'within' || (old === 'perhaps' && row.isPlain && records.formerGrants.has(row.grant));
  const isLeft = (one: Found) =>
    (isKnown && isAsWritten(one)) ||
    (one.row.password !== undefined && records.hadPassword(name, one.row.password));
  const byHand = found.filter((one) => {
    return !isLeft(one) && !(account && isEqual(one.row, account));
  });
  if (byHand.length === 0) return { ours: rows, byHand: [] };
  // Of a row that equals the account and one that does not, either may be the operator's: both stay.
  const left = found.filter(isLeft).map(({ row }) => row);
  return { ours: left, byHand: rows.filter((row) => !left.includes(row)) };
}

/** The operator's rows of this name, in any encoding. */
export function byHandOf(name: string, rows: FoundRows, records: Records): Row[] {
  const isIt = (one: string) => one === name || respelled(one).includes(name);
  const names = isAscii(name) ? [name] : [...rows.keys()].filter(isIt);
  const found = names.flatMap((one) => rows.get(one) ?? []);
  return found.length > 0 ? sidesOf(name, found, records).byHand : [];
}

/** All rows that are the operator's. */
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

/** The new record of a row of ours in the file. */
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
  isLive: (name: string) => boolean,
  records: Records,
) {
  const byHand = new Map<string, Found[]>();
  const ours: Merged['ours'] = new Map();
  const broughtBack: string[] = [];
  const facts: RowFacts = { rows: new Map(), passwords: [] };
  /** New lines of the agent's rows; empty for rows that are removed. */
  const edited = new Map<Row, string[]>();

  function noteFacts(row: Row, known: RowRecord | undefined, record: RowRecord): void {
    if (!known?.owned) return;
    if (!isSameRecord(known, record)) {
      facts.rows.set(row.name, record);
    }
    const { password } = row;
    const isOwn = hasPassword(row, records.accountOf(row.name));
    if (password === undefined || isOwn || records.hadPassword(row.name, password)) return;
    facts.passwords.push([row.name, password]);
  }

  for (const [name, found] of file.rows) {
    const sides = sidesOf(name, found, records);
    if (sides.byHand.length > 0) {
      byHand.set(
        name,
        sides.byHand.map((row) => ({ row, old: undefined })),
      );
    }
    for (const row of sides.ours) edited.set(row, []);
    const account = records.accountOf(name);
    const known = records.rowOf(name);
    if (sides.ours.length > 0 && !account && !known?.owned && !records.isDeleted(name)) {
      broughtBack.push(name);
    }
    const equal = account && sides.ours.find((row) => isEqual(row, account));
    const old = found.find((one) => one.old !== undefined)?.row;
    const isOfNow = (one: Row) =>
      one.password === undefined ||
      hasPassword(one, account) ||
      !records.hadPasswordEarlier(name, one.password);
    const ofNow = sides.ours.find(isOfNow);
    const row = equal ?? (known?.owned ? ofNow : old);
    if (row) for (const one of sides.ours) noteFacts(one, known, recordOf(row, format, records));
    const stays = account && isLive(name) && row && sides.byHand.length === 0;
    if (!stays) continue;
    const record = recordOf(row, format, records);
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

/** The text of these pieces, with new rows before the first row of ours that has a greater name. */
function joined(
  pieces: Piece[],
  edited: Map<Row, string[]>,
  added: { name: string; text: string }[],
) {
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

/** A BEGIN whose END is lost still has the rows of ours that follow it. */
function splitTorn(pieces: Piece[], edited: Map<Row, string[]>): [Piece[], Piece[]] {
  const end = pieces.findIndex((piece) => typeof piece === 'string' || !edited.has(piece));
  return end === -1 ? [pieces, []] : [pieces.slice(0, end), pieces.slice(end)];
}

function assemble(
  { parts, blockAt }: ParsedFile,
  edited: Map<Row, string[]>,
  added: { name: string; text: string }[],
  instance: string,
): string {
  const above: Piece[] = [];
  const below: Piece[] = [];
  let inside: Piece[] | undefined;
  for (const [index, { pieces, place, isOld }] of parts.entries()) {
    // Version 1.0.0 replaced everything in its block, as its note there said.
    const kept =
      isOld && place === 'block'
        ? pieces.filter((piece) => typeof piece !== 'string' && edited.has(piece))
        : pieces;
    const isBelow = blockAt !== undefined && index >= blockAt;
    if (!isBelow) above.push(...kept);
    else if (place === 'block' && inside === undefined) inside = kept;
    else if (place === 'torn' && index === blockAt) {
      const [own, others] = splitTorn(kept, edited);
      if (own.length > 0) inside = own;
      below.push(...others);
    } else below.push(...kept);
  }
  const head = joined(above, edited, []);
  if (blockAt === undefined && added.length === 0) return head;
  // If the last line has no line feed, our first line would be joined to it.
  const joint = head === '' || head.endsWith('\n') ? '' : '\n';
  const body = joined(inside ?? [], edited, added);
  const whole = linesOf(body).at(-1)?.endsWith('\n') === false ? `${body}\n` : body;
  return head + joint + block(instance, whole) + joined(below, edited, []);
}

/**
 * Writes the accounts into the file: the agent's rows are edited in place, missing ones are added, deleted and
 * expired ones removed, and everything else stays byte for byte. A name whose row the operator keeps gets no second
 * row, because a card server that finds a name twice picks one by its own rules. Throws if the file contains another
 * agent's block.
 */
export function mergeFile(
  before: Buffer,
  format: Format,
  {
    instance,
    live,
    ...records
  }: Records & { instance: string; live: ReadonlyMap<string, Account> },
): Merged {
  const isLive = (name: string) => live.has(name);
  const file = parseFile(before, format, instance, (name) => knownName(name, records));
  const { edited, ...decided } = decide(file, format, isLive, records);
  const added: { name: string; text: string }[] = [];
  for (const [name, account] of live) {
    if (decided.ours.has(name) || decided.byHand.has(name)) continue;
    const known = records.rowOf(name);
    const facts = decided.facts.rows.get(name) ?? known;
    const isDefault = facts?.rest === undefined && facts?.granted === undefined;
    const granted = isDefault || facts?.granted !== undefined ? records.grant : undefined;
    const { rest, spelling = UNSEEN } = facts ?? {};
    const record = { owned: true, rest, granted, spelling };
    const text = format.write(account, { rest, grant: granted, spelling });
    added.push({ name, text });
    decided.ours.set(name, { known, record });
  }
  const text = assemble(file, edited, added, instance);
  return { bytes: Buffer.from(text, 'latin1'), ...decided };
}
