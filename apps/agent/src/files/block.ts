import type { Account } from '../store.ts';
import { bytesOf, type Format, trimBlanks } from './formats.ts';
import { ForeignBlock } from './not-ours.ts';

const BEGIN = '# BEGIN linekeeper';
const END = '# END linekeeper';
// Contains no '=', because oscam reads every line with one as a setting.
const NOTE = '# Written by the linekeeper agent. Changes between BEGIN and END are lost.';
// On its own line, because older versions recognise BEGIN only unchanged. They write no instance
// line.
const INSTANCE = /^# Instance ([0-9a-f-]{36})$/;

/** Identifies our block among other agents' blocks, and our lines among the operator's. */
type Own = {
  instance: string;
  /** All names that may still be in the file because this agent wrote them, including deleted ones. */
  names: Iterable<string>;
};

type Parts = {
  /** The lines that this agent did not write, byte for byte. */
  kept: string[];
  /** Index of our block among these lines; undefined if there is none yet. */
  blockAt: number | undefined;
};

function isMarker(line: string, marker: string): boolean {
  return trimBlanks(line) === marker;
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function instanceIn(line: string): string | undefined {
  return INSTANCE.exec(trimBlanks(line))?.[1];
}

/**
 * Throws for another agent's block. A block without an instance comes from an older version and is
 * taken over.
 */
function requireOwnBlock(lines: string[], instance: string): void {
  for (const line of lines) {
    const found = instanceIn(line);
    if (found !== undefined && found !== instance) throw new ForeignBlock(found);
  }
}

/** Removes only lines that this agent has certainly written. */
function withoutOwn(lines: string[], format: Format, ownNames: ReadonlySet<string>): string[] {
  const kept: string[] = [];
  let index = 0;
  while (index < lines.length) {
    const line = lines[index] ?? '';
    const isComment = trimBlanks(line) === NOTE || instanceIn(line) !== undefined;
    const own = isComment ? 1 : format.ownLinesAt(lines, index, ownNames);
    if (own === 0) kept.push(line);
    index += own || 1;
  }
  return kept;
}

/**
 * Splits the file into our block and the rest. A block without END has no known extent, so after
 * its BEGIN only accounts in exactly our form and under our names are dropped; otherwise a deleted
 * account would stay active as if the operator had added it.
 */
function takeApart(
  lines: string[],
  format: Format,
  ownNames: ReadonlySet<string>,
  instance: string,
): Parts {
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
    requireOwnBlock(lines.slice(index + 1, next), instance);
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
  /** Names that the operator keeps outside our block, as bytes (see `bytesOf`). */
  byHand: Set<string>;
};

/**
 * Writes these accounts into our block and keeps everything else. Names that the operator keeps
 * outside the block are left out, because a card server that finds a name twice picks one of the
 * two by its own rules. Throws if the file contains another agent's block.
 */
export function mergeBlock(
  before: Buffer,
  format: Format,
  accounts: Account[],
  { instance, names }: Own,
): Merged {
  const own = new Set(Array.from(names, bytesOf));
  const { kept, blockAt } = takeApart(linesOf(before.toString('latin1')), format, own, instance);
  const byHand = format.namesIn(kept);
  const body = accounts
    .filter(({ username }) => !byHand.has(bytesOf(username)))
    .map((account) => bytesOf(format.write(account)))
    .join('');

  // Without accounts and without a block, the file stays untouched.
  if (body === '' && blockAt === undefined) return { bytes: before, byHand };

  const above = kept.slice(0, blockAt ?? kept.length).join('');
  const below = kept.slice(blockAt ?? kept.length).join('');
  // If the last line has no line feed, our first line would be joined to it.
  const joint = above === '' || above.endsWith('\n') ? '' : '\n';
  // Line feeds only, whatever the file uses: a carriage return would become part of a password.
  const block = `${BEGIN}\n${NOTE}\n# Instance ${instance}\n${body}${END}\n`;
  return { bytes: Buffer.from(above + joint + block + below, 'latin1'), byHand };
}
