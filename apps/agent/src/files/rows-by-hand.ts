import { join } from 'node:path';
import { bytesOf, respelled, textOf } from '../bytes.ts';
import { fingerprint, readWhole, resolveTarget, statFile } from './atomic-write.ts';
import { type Format, linesOf, type Row } from './formats.ts';
import { allByHand, byHandOf, type FoundRows, parseFile, type Records } from './merge.ts';

type Seen = { print: string; rows: Promise<FoundRows> };
type RowsByHand = { file: string; rows: Row[] };

/** A CCcam client sends so much of a name, and card servers compare no more. */
const SENT_BYTES = 20;
/** Leaves room for all else that a panel reads with them, which is 64 KiB. */
const MOST_NAME_BYTES = 40 * 1024;

type Options = {
  dir: string;
  instance: string;
  formats: Format[];
  /** The current records of the rows in a file. */
  recordsOf(format: Format): Records;
  /** The error to throw if a file could not be read. */
  failureOf(format: Format, error: unknown): Promise<Error>;
};

/** The rows that are the operator's own, read again only after a file has changed. */
export function watchRowsByHand({ dir, instance, formats, recordsOf, failureOf }: Options) {
  const seen = new Map<Format, Seen>();
  const targetOf = (format: Format) => resolveTarget(join(dir, format.fileName));

  /** All that may be the operator's; those of ours may be missing. */
  async function rowsOf(format: Format): Promise<FoundRows> {
    const target = targetOf(format);
    const print = fingerprint(await statFile(target));
    const known = seen.get(format);
    if (known?.print === print) return known.rows;
    // Caches the promise, not its value, so that concurrent callers share one read.
    const rows = readWhole(target).then((bytes) => parseFile(bytes, format, instance).rows);
    seen.set(format, { print, rows });
    rows.catch(() => seen.delete(format));
    return rows;
  }

  async function readRows(format: Format): Promise<FoundRows> {
    return rowsOf(format).catch(async (error: unknown) => {
      throw await failureOf(format, error);
    });
  }

  async function rowsByHand(username: string): Promise<RowsByHand[]> {
    const found: RowsByHand[] = [];
    for (const format of formats) {
      const rows = byHandOf(bytesOf(username), await readRows(format), recordsOf(format));
      if (rows.length > 0) found.push({ file: format.fileName, rows });
    }
    return found;
  }

  async function allRowsByHand(): Promise<RowsByHand[]> {
    const found: RowsByHand[] = [];
    for (const format of formats) {
      const rows = allByHand(await readRows(format), recordsOf(format));
      found.push({ file: format.fileName, rows });
    }
    return found;
  }

  return {
    know(format: Format, print: string, rows: FoundRows): void {
      seen.set(format, { print, rows: Promise.resolve(rows) });
    },

    /** The operator's own rows of this name. */
    rowsByHand,

    /** The file in which the operator keeps this name; undefined if none. */
    async keptByHand(username: string): Promise<string | undefined> {
      return (await rowsByHand(username))[0]?.file;
    },

    /** The file with a row of the operator's that CCcam clients cannot tell from this name; undefined if none. */
    async sharedByHand(username: string): Promise<string | undefined> {
      const name = bytesOf(username);
      const sent = name.slice(0, SENT_BYTES);
      const isShared = (row: Row) => row.name !== name && row.name.startsWith(sent);
      if (name.length < SENT_BYTES) return undefined;
      return (await allRowsByHand()).find(({ rows }) => rows.some(isShared))?.file;
    },

    /** The number of rows that the operator keeps, and their names; null for more than a reply has room for. */
    async tellByHand(): Promise<{ by_hand: number; names_by_hand: string[] | null }> {
      const rows = (await allRowsByHand()).flatMap((found) => found.rows);
      const names = new Set(rows.map(({ name }) => textOf(respelled(name)[0] ?? name)));
      const bytes = Buffer.byteLength(JSON.stringify([...names]));
      return { by_hand: rows.length, names_by_hand: bytes > MOST_NAME_BYTES ? null : [...names] };
    },

    /** Whether the operator switched a row with this name off by making it a comment. */
    async isRowInComment(username: string): Promise<boolean> {
      const name = bytesOf(username);
      for (const format of formats) {
        const lines = linesOf((await readWhole(targetOf(format))).toString('latin1'));
        if (lines.some((line) => format.isRowInComment(line, name))) return true;
      }
      return false;
    },
  };
}
