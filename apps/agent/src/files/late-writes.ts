import { type Format, linesOf } from './formats.ts';
import type { LateWrites } from './late-write-watch.ts';

type Found = {
  current: Buffer;
  /** The text that others appended to the current file; undefined if they changed it otherwise. */
  appended: Buffer | undefined;
  late: LateWrites;
};

type Combined = {
  /** Everything that others wrote. */
  bytes: Buffer;
  /** The text that others appended to the current file; undefined if the file is newer than any late rewrite. */
  tail: Buffer | undefined;
  /** The text that others appended to earlier files, as far as it is taken. */
  appended: Buffer;
  /** True if two programs wrote at once, so that only one of their texts counts. */
  isLost: boolean;
};

export type Combine = (found: Found) => Combined;

/** Combines texts that several programs wrote at once, to the current file and to those that it replaced. */
export function combineLateWrites(format: Format): Combine {
  const piecesOf = (bytes: Buffer) => format.split(linesOf(bytes.toString('latin1')));
  const namesOf = (bytes: Buffer) =>
    new Set(piecesOf(bytes).flatMap((piece) => (typeof piece === 'string' ? [] : [piece.name])));

  function haveCommonNames(some: Buffer, others: Buffer): boolean {
    const names = namesOf(others);
    return [...namesOf(some)].some((name) => names.has(name));
  }

  function withoutRowsOf(bytes: Buffer, others: Buffer): Buffer {
    const names = namesOf(others);
    const kept = piecesOf(bytes).map((piece) => {
      if (typeof piece === 'string') return piece;
      return names.has(piece.name) ? '' : piece.lines.join('');
    });
    return Buffer.from(kept.join(''), 'latin1');
  }

  return ({ current, appended, late }) => {
    const { rewritten } = late;
    // A card server's save may begin with the old content, and look like an append.
    const isSave =
      format.isSavedByServer &&
      rewritten !== undefined &&
      appended !== undefined &&
      haveCommonNames(appended, rewritten);
    const tail = isSave ? undefined : appended;
    const base = rewritten && tail ? Buffer.concat([rewritten, tail]) : current;
    // The card server may have read the appended text and saved it with everything else since.
    const isKnown = format.isSavedByServer && tail === undefined && late.appended.length > 0;
    const text = isKnown ? withoutRowsOf(late.appended, base) : late.appended;
    return {
      bytes: Buffer.concat([base, text]),
      tail,
      appended: text,
      isLost: late.isLost || (rewritten !== undefined && tail === undefined),
    };
  };
}
