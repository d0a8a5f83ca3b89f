import { bytesOf, type Format, trimBlanks } from './formats.ts';
import type { Account } from './store.ts';

const BEGIN = '# BEGIN linekeeper';
const END = '# END linekeeper';
// No '=' in it: oscam takes every line with one for a setting.
const NOTE = '# Written by the linekeeper agent. Changes between BEGIN and END are lost.';

type Parts = {
  /** Everything that is not ours, byte for byte. */
  kept: string[];
  /** Where among these lines our block stands; undefined where there is none yet. */
  blockAt: number | undefined;
};

function isMarker(line: string, marker: string): boolean {
  return trimBlanks(line) === marker;
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Drops only what we are sure to have written ourselves. */
function withoutOwn(lines: string[], format: Format, ownNames: ReadonlySet<string>): string[] {
  const kept: string[] = [];
  let index = 0;
  while (index < lines.length) {
    const line = lines[index] ?? '';
    const own = trimBlanks(line) === NOTE ? 1 : format.ownLinesAt(lines, index, ownNames);
    if (own === 0) kept.push(line);
    index += own || 1;
  }
  return kept;
}

/**
 * Takes the file apart. A block without its END has no known extent, so nothing after its BEGIN is
 * dropped but accounts in exactly the form and under exactly the names we write; without that, a
 * deleted account would live on as if the operator had put it there.
 */
function takeApart(lines: string[], format: Format, ownNames: ReadonlySet<string>): Parts {
  const kept: string[] = [];
  let blockAt: number | undefined;
  let index = 0;
  while (index < lines.length) {
    const line = lines[index] ?? '';
    if (!isMarker(line, BEGIN)) {
      kept.push(line);
      index += 1;
      continue;
    }
    blockAt ??= kept.length;
    let next = index + 1;
    while (next < lines.length && !isMarker(lines[next] ?? '', END)) {
      if (isMarker(lines[next] ?? '', BEGIN)) break;
      next += 1;
    }
    if (next < lines.length && isMarker(lines[next] ?? '', END)) {
      index = next + 1;
    } else {
      kept.push(...withoutOwn(lines.slice(index + 1, next), format, ownNames));
      index = next;
    }
  }
  return { kept, blockAt };
}

type Merged = {
  bytes: Buffer;
  /** Names the operator keeps outside our block, in the file's bytes (see `bytesOf`). */
  byHand: Set<string>;
};

/**
 * Puts these accounts into our block and leaves everything else as it is. A name the operator
 * keeps by hand is left out of the block: a card server given one name twice picks one of the two
 * by rules of its own. `ownNames` are all
 * names that may still stand in the file because we wrote them, also those since deleted or
 * expired.
 */
export function mergeBlock(
  before: Buffer,
  format: Format,
  accounts: Account[],
  ownNames: Iterable<string>,
): Merged {
  const own = new Set(Array.from(ownNames, bytesOf));
  const { kept, blockAt } = takeApart(linesOf(before.toString('latin1')), format, own);
  const byHand = format.namesIn(kept);
  const body = accounts
    .filter(({ username }) => !byHand.has(bytesOf(username)))
    .map((account) => bytesOf(format.write(account)))
    .join('');

  // A file we have nothing to say in stays untouched.
  if (body === '' && blockAt === undefined) return { bytes: before, byHand };

  const above = kept.slice(0, blockAt ?? kept.length).join('');
  const below = kept.slice(blockAt ?? kept.length).join('');
  // A last line without its end would swallow our first one.
  const joint = above === '' || above.endsWith('\n') ? '' : '\n';
  // Line feeds alone, whatever the file uses: a carriage return would become part of a password.
  const block = `${BEGIN}\n${NOTE}\n${body}${END}\n`;
  return { bytes: Buffer.from(above + joint + block + below, 'latin1'), byHand };
}
