import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ControlFile } from './control-file.ts';

export const LOG_FILE_BYTES = 16 * 1024 * 1024;
/** The timeline, then a number whose last eight digits are at most one byte. */
const LOG_FILE = /^[0-9A-F]{16}000000[0-9A-F]{2}$/;

export const isLogFile = (name: string) => LOG_FILE.test(name);

const hex = (value: bigint) => value.toString(16).toUpperCase().padStart(8, '0');

/** Within a timeline, names sort like positions. */
export function logFileName(timeline: number, position: bigint): string {
  const number = position / BigInt(LOG_FILE_BYTES);
  return hex(BigInt(timeline)) + hex(number / 256n) + hex(number % 256n);
}

/** Sorted. Some may be unused: the database recycles old files as future ones. */
export function logFiles(root: string): string[] {
  return readdirSync(join(root, 'pg_wal')).filter(isLogFile).sort();
}

/**
 * The first missing file of those the log is read from; null if none is. They are consecutive up to
 * the last one that exists; the database removes and renames only earlier ones.
 */
export function missingLogFile(root: string, control: ControlFile): string | null {
  const { timeline, redo, checkpoint } = control;
  const present = new Set(logFiles(root).filter((name) => name.startsWith(hex(BigInt(timeline)))));
  const last = [...present, logFileName(timeline, checkpoint)].sort().at(-1) ?? '';
  let position = redo;
  for (;;) {
    const name = logFileName(timeline, position);
    if (!present.has(name)) return name <= last ? name : null;
    position += BigInt(LOG_FILE_BYTES);
  }
}

/** Notices new log files by checking for a single name. */
export class LogWatch {
  readonly #root: string;
  readonly #onNew: () => void;
  readonly #timeline: number;
  #next: bigint;

  constructor(root: string, { timeline, redo }: ControlFile, onNew: () => void) {
    this.#root = root;
    this.#onNew = onNew;
    this.#timeline = timeline;
    this.#next = redo;
    this.look();
  }

  look(): void {
    if (!this.#isNextThere()) return;
    while (this.#isNextThere()) this.#next += BigInt(LOG_FILE_BYTES);
    this.#onNew();
  }

  #isNextThere(): boolean {
    return existsSync(join(this.#root, 'pg_wal', logFileName(this.#timeline, this.#next)));
  }
}
