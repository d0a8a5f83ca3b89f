import { createHash } from 'node:crypto';
import { createReadStream, openSync, readSync } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { constants, createGunzip, gunzipSync } from 'node:zlib';
import { codeOf } from '../errors.ts';
import {
  FORMAT_VERSION,
  footSchema,
  headSchema,
  proofSchema,
  type Summary,
  type TableDigest,
  type TableHead,
  tableHeadSchema,
} from './file-format.ts';
import { TableDigester } from './tables.ts';

/** Thrown for a backup that cannot be restored. Its message gives the reason in one sentence, for the operator. */
export class UnusableBackup extends Error {}

/** The error for a format or schema of a version that this panel does not know. */
export function isOfNewerPanel(file: string): UnusableBackup {
  return new UnusableBackup(
    `${file} was made by a newer panel, or on a database that a newer panel had updated: restore it with that version`,
  );
}

type OnRows = (table: TableHead, rows: string[]) => Promise<void>;

const BYTES_A_BATCH = 1024 * 1024;
/** Limits for a file's rows, head and tables, so that none can fill the memory; far above any real backup's. */
const [MAX_ROW_BYTES, MAX_HEAD_BYTES, MAX_TABLES] = [16 * 1024 * 1024, 256 * 1024, 1000];
const [LINE_END, CARRIAGE_RETURN, ROW_START] = [0x0a, 0x0d, '['.charCodeAt(0)];

/**
 * Reads a whole backup, checks it and passes its rows on in batches. Throws UnusableBackup if it is
 * truncated, altered or not a backup; rows passed on before that must be discarded. `fd` is the
 * file if already open; it is closed at the end.
 */
export async function readBackup(
  file: string,
  onRows: OnRows = async () => {},
  fd = openSync(file, 'r'),
): Promise<Summary> {
  const reading = new Reading(file, onRows);
  try {
    for await (const chunk of openText(file, fd)) await reading.take(chunk);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'Z_BUF_ERROR') throw reading.isCutOff();
    if (code.startsWith('Z_')) throw reading.isDamaged();
    throw error;
  }
  return reading.finish();
}

/**
 * Layers of compression that are unpacked, at most. Browsers add one layer to a file; a forged file
 * could have endless ones.
 */
const MOST_PACKINGS = 3;
const START_BYTES = 4096;
const GZIP = Buffer.from([0x1f, 0x8b]);
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const UTF_16 = 'was saved as UTF-16 by another program: download or copy the backup again';
/** Other formats in which a backup may be found, each by its first bytes and with its decoder. */
const OTHER_FORMS: readonly (readonly [start: Buffer, what: string])[] = [
  [
    Buffer.from('age-encryption.org/'),
    'is encrypted: add --identity and the file of its private key',
  ],
  [Buffer.from('PK\x03\x04'), 'is a ZIP archive: unpack it, and restore the file in it'],
  [Buffer.from([0xff, 0xfe]), UTF_16],
  [Buffer.from([0xfe, 0xff]), UTF_16],
];

const beginsWith = (bytes: Buffer, start: Buffer) => bytes.subarray(0, start.length).equals(start);

/** Counts how often a file was packed. Its name does not show it after a browser or an archive program had it. */
function countPackings(file: string, fd: number): number {
  let start = Buffer.alloc(START_BYTES);
  start = start.subarray(0, readSync(fd, start, 0, START_BYTES, 0));
  let packings = 0;
  for (; beginsWith(start, GZIP) && start.length > GZIP.length; packings++) {
    if (packings === MOST_PACKINGS) {
      throw new UnusableBackup(
        `${file} was packed with gzip more than ${MOST_PACKINGS} times: unpack it with gunzip first`,
      );
    }
    // The beginning of the file ends within a block, so gunzip must not expect the end.
    start = gunzipSync(start, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, START_BYTES);
  }
  const other = OTHER_FORMS.find(([form]) => beginsWith(start, form));
  if (other) throw new UnusableBackup(`${file} ${other[1]}`);
  if (start.length > 0) return packings;
  throw new UnusableBackup(`${file} is empty: download or copy the backup again`);
}

function openText(file: string, fd: number): Readable {
  const packings = countPackings(file, fd);
  let text: Readable = createReadStream('', { fd, start: 0 });
  // The empty callback is needed by `pipeline`: the reader gets the error, and ends the whole chain
  // when it has read enough.
  for (let times = 0; times < packings; times++) text = pipeline(text, createGunzip(), () => {});
  return text;
}

class Reading {
  readonly #file: string;
  readonly #onRows: OnRows;
  readonly #whole = createHash('sha256');
  readonly #tables: Summary['tables'] = [];
  #head: Summary['head'] | null = null;
  #foot: Summary['foot'] | null = null;
  #table: { head: TableHead; proof: TableDigester } | null = null;
  /** The beginning of a line whose end has not been read. */
  #rest: Buffer[] = [];
  #restBytes = 0;
  #batch: string[] = [];
  #batchBytes = 0;

  constructor(file: string, onRows: OnRows) {
    this.#file = file;
    this.#onRows = onRows;
  }

  isCutOff = () =>
    new UnusableBackup(
      `${this.#file} is cut off: it is not a complete backup. Download or copy it again`,
    );
  isDamaged = () =>
    new UnusableBackup(
      this.#head
        ? `${this.#file} was altered or is damaged: its checksums are wrong. Download or copy it again, or restore another backup`
        : `${this.#file} is not a backup of Linekeeper. Choose a file that the panel or "npm run backup" made: its name begins with linekeeper-`,
    );

  /** Splits at line feeds only, because notes may contain other line separators. */
  async take(chunk: Buffer): Promise<void> {
    let start = 0;
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, start)) {
      const line = Buffer.concat([...this.#rest, chunk.subarray(start, end + 1)]);
      [this.#rest, this.#restBytes] = [[], 0];
      await this.#takeLine(this.#asWritten(line));
      start = end + 1;
    }
    this.#rest.push(chunk.subarray(start));
    this.#restBytes += chunk.length - start;
    if (this.#restBytes > MAX_ROW_BYTES) throw this.isDamaged();
  }

  /** A line without Windows' additions: the byte order mark of a text, and the carriage return of each line. */
  #asWritten(line: Buffer): Buffer {
    if (!this.#head && beginsWith(line, BYTE_ORDER_MARK)) return this.#asWritten(line.subarray(3));
    if (line.at(-2) !== CARRIAGE_RETURN) return line;
    return Buffer.concat([line.subarray(0, -2), line.subarray(-1)]);
  }

  async #takeLine(line: Buffer): Promise<void> {
    if (this.#foot) throw this.isDamaged();
    if (this.#table && line[0] === ROW_START) return this.#takeRow(line);
    if (line.length > MAX_HEAD_BYTES) throw this.isDamaged();
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

  async #endTable(stored: TableDigest | undefined): Promise<void> {
    if (!this.#table) throw this.isDamaged();
    const { head, proof } = this.#table;
    const found = proof.finish();
    if (stored?.rows !== found.rows || stored.sha256 !== found.sha256) throw this.isDamaged();
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
    if (this.#restBytes > 0) throw this.isDamaged();
    return { head: this.#head, foot: this.#foot, tables: this.#tables };
  }
}
