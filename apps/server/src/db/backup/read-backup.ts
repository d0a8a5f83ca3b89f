import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { createGunzip } from 'node:zlib';
import * as z from 'zod';
import { FORMAT, FORMAT_VERSION, type Summary, type TableHead } from './file-format.ts';
import { type TableDigest, TableDigester } from './rows.ts';

/** The file cannot be restored; the message says why in one sentence. */
export class UnusableBackup extends Error {}

/** The format or the schema is of a version that this panel does not know. */
export function isOfNewerPanel(file: string): UnusableBackup {
  return new UnusableBackup(
    `${file} was made by a newer panel, or on a database that one had brought up to date: restore it with that version`,
  );
}

const headSchema = z.object({
  format: z.literal(FORMAT),
  version: z.number(),
  created_at: z.iso.datetime(),
  migrations: z.array(z.string()).min(1),
});
const tableHeadSchema = z.object({ table: z.string(), columns: z.array(z.string()).min(1) });
const proofSchema = z.object({ rows: z.number(), sha256: z.string() });
const footSchema = z.object({ tables: z.number(), rows: z.number(), sha256: z.string() });

export type OnRows = (table: TableHead, rows: string[]) => Promise<void>;

const BYTES_A_BATCH = 1024 * 1024;
/** Far above the largest row, a part of an attachment, and above every head: a file cannot fill the memory. */
const [MAX_ROW_BYTES, MAX_HEAD_BYTES, MAX_TABLES] = [16 * 1024 * 1024, 256 * 1024, 1000];
const [LINE_END, ROW_START] = ['\n'.charCodeAt(0), '['.charCodeAt(0)];

/**
 * Reads a whole backup, checks it and passes its rows on in batches. Throws UnusableBackup if it is
 * truncated, altered or not a backup; rows passed on before that must be discarded. `fd` is the
 * file if already open; it stays open.
 */
export async function readBackup(
  file: string,
  onRows: OnRows = async () => {},
  fd?: number,
): Promise<Summary> {
  const reading = new Reading(file, onRows);
  try {
    for await (const lines of readLines(file, fd)) {
      if (lines === 'too long') throw reading.isDamaged();
      for (const line of lines) await reading.take(line);
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'Z_BUF_ERROR') throw reading.isCutOff();
    if (code.startsWith('Z_')) throw reading.isDamaged();
    throw error;
  }
  return reading.finish();
}

/** False for a backup that a browser or an archive program has unpacked. */
function isPacked(file: string, fd?: number): boolean {
  const opened = fd ?? openSync(file, 'r');
  try {
    const start = Buffer.alloc(2);
    return readSync(opened, start, 0, 2, 0) === 2 && start[0] === 0x1f && start[1] === 0x8b;
  } finally {
    if (fd === undefined) closeSync(opened);
  }
}

function openText(file: string, fd?: number): AsyncIterable<Buffer> {
  const source = createReadStream(file, fd === undefined ? {} : { fd, start: 0, autoClose: false });
  if (!isPacked(file, fd)) return source;
  const text = createGunzip();
  source.on('error', (error) => text.destroy(error));
  return source.pipe(text);
}

/** Splits at line feeds only, because notes may contain other line separators. */
async function* readLines(file: string, fd?: number): AsyncGenerator<Buffer[] | 'too long'> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  for await (const chunk of openText(file, fd)) {
    const lines: Buffer[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, start)) {
      lines.push(Buffer.concat([...rest, chunk.subarray(start, end + 1)]));
      rest = [];
      restBytes = 0;
      start = end + 1;
    }
    yield lines;
    if (start === chunk.length) continue;
    rest.push(chunk.subarray(start));
    restBytes += chunk.length - start;
    if (restBytes > MAX_ROW_BYTES) yield 'too long';
  }
  if (rest.length > 0) yield [Buffer.concat(rest)];
}

class Reading {
  readonly #file: string;
  readonly #onRows: OnRows;
  readonly #whole = createHash('sha256');
  readonly #tables: Summary['tables'] = [];
  #head: Summary['head'] | null = null;
  #foot: Summary['foot'] | null = null;
  #table: { head: TableHead; proof: TableDigester } | null = null;
  #batch: string[] = [];
  #batchBytes = 0;

  constructor(file: string, onRows: OnRows) {
    this.#file = file;
    this.#onRows = onRows;
  }

  isCutOff = () => new UnusableBackup(`${this.#file} is cut off: it is not a whole backup`);
  isDamaged = () =>
    new UnusableBackup(
      this.#head
        ? `${this.#file} was altered or is damaged: its checksums are wrong`
        : `${this.#file} is not a backup of Linekeeper`,
    );

  /** `line` includes its line feed, except for the last line of a truncated file. */
  async take(line: Buffer): Promise<void> {
    if (this.#foot) throw this.isDamaged();
    if (this.#table && line[0] === ROW_START) return this.#takeRow(line);
    if (line.length > MAX_HEAD_BYTES) throw this.isDamaged();
    if (line.at(-1) !== LINE_END) throw this.#head ? this.isCutOff() : this.isDamaged();
    const value = this.#parse(line);
    if (!this.#head) this.#takeHead(value);
    else if (this.#table) await this.#endTable(proofSchema.safeParse(value).data);
    else if (this.#takeFoot(value)) return;
    else this.#beginTable(tableHeadSchema.safeParse(value).data);
    this.#whole.update(line);
  }

  #parse(line: Buffer): unknown {
    try {
      return JSON.parse(line.toString());
    } catch {
      throw this.isDamaged();
    }
  }

  #takeHead(value: unknown): void {
    const { data } = headSchema.safeParse(value);
    if (!data) throw this.isDamaged();
    if (data.version !== FORMAT_VERSION) throw isOfNewerPanel(this.#file);
    this.#head = data;
  }

  #beginTable(given: TableHead | undefined): void {
    if (!given || this.#tables.length === MAX_TABLES) throw this.isDamaged();
    this.#table = { head: given, proof: new TableDigester() };
  }

  async #takeRow(line: Buffer): Promise<void> {
    if (line.at(-1) !== LINE_END) throw this.isCutOff();
    this.#whole.update(line);
    this.#table?.proof.add(1, line);
    this.#batch.push(line.toString('utf8', 0, line.length - 1));
    this.#batchBytes += line.length;
    if (this.#batchBytes >= BYTES_A_BATCH) await this.#handOut();
  }

  async #handOut(): Promise<void> {
    const rows = this.#batch;
    this.#batch = [];
    this.#batchBytes = 0;
    if (this.#table && rows.length > 0) await this.#onRows(this.#table.head, rows);
  }

  async #endTable(said: TableDigest | undefined): Promise<void> {
    if (!this.#table) throw this.isDamaged();
    const { head, proof } = this.#table;
    const found = proof.finish();
    if (said?.rows !== found.rows || said.sha256 !== found.sha256) throw this.isDamaged();
    await this.#handOut();
    this.#tables.push({ ...head, proof: found });
    this.#table = null;
  }

  #takeFoot(value: unknown): boolean {
    const { data } = footSchema.safeParse(value);
    if (!data) return false;
    const rows = this.#tables.reduce((sum, table) => sum + table.proof.rows, 0);
    const isSound =
      data.sha256 === this.#whole.digest('hex') &&
      data.tables === this.#tables.length &&
      data.rows === rows;
    if (!isSound) throw this.isDamaged();
    this.#foot = data;
    return true;
  }

  finish(): Summary {
    if (!this.#head) throw this.isDamaged();
    if (!this.#foot) throw this.isCutOff();
    return { head: this.#head, foot: this.#foot, tables: this.#tables };
  }
}
