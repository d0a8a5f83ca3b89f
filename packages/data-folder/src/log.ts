import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { databaseFolder } from './files.ts';

export type ControlFile = Exclude<ReturnType<typeof readControlFile>, string>;

const CONTROL_BYTES = 8192;
/** Bytes of pg_control that have a meaning; the last four are a checksum of the rest. */
const CHECKED_BYTES = 292;
const SHUT_DOWN = 1;

/**
 * Reads pg_control, which the database reads first: the position from which its log (WAL) is read after a
 * stop or crash. Returns a message if it is not valid.
 */
export function readControlFile(folder: string) {
  const bytes = readFileSync(join(databaseFolder(folder), 'global/pg_control'));
  if (bytes.length !== CONTROL_BYTES) {
    return `is incomplete: ${bytes.length} bytes instead of ${CONTROL_BYTES}`;
  }
  if (crc32c(bytes.subarray(0, CHECKED_BYTES)) !== bytes.readUInt32LE(CHECKED_BYTES)) {
    return 'is damaged: its checksum is wrong';
  }
  const checkpoint = bytes.readBigUInt64LE(32);
  return {
    wasShutDown: bytes.readUInt32LE(16) === SHUT_DOWN,
    /** Identifies the database and its last checkpoint; the log contains all changes since then. */
    moment: `${bytes.readBigUInt64LE(0)}/${checkpoint}`,
    checkpoint,
    /** The position from which the log must be read for the checkpoint. */
    redo: bytes.readBigUInt64LE(40),
    timeline: bytes.readUInt32LE(48),
  };
}

/** PostgreSQL's checksum; the CRC of node:zlib uses another polynomial. */
function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

export const LOG_FILE_BYTES = 16 * 1024 * 1024;
/** Name of a log file: the timeline, then a number whose last eight digits are at most one byte. */
const LOG_FILE = /^[0-9A-F]{16}000000[0-9A-F]{2}$/;

export const isLogFile = (name: string) => LOG_FILE.test(name);

const hex = (value: bigint) => value.toString(16).toUpperCase().padStart(8, '0');

/** The name of the log file with a position. Within a timeline, names sort like positions. */
export function logFileName(timeline: number, position: bigint): string {
  const number = position / BigInt(LOG_FILE_BYTES);
  return hex(BigInt(timeline)) + hex(number / 256n) + hex(number % 256n);
}

/** Sorted names of the log files. Some may be unused: the database recycles old files as future ones. */
export function logFiles(folder: string): string[] {
  return readdirSync(join(databaseFolder(folder), 'pg_wal'))
    .filter(isLogFile)
    .sort();
}

/**
 * The first missing file of those from which the log is read; null if none is missing. They are
 * consecutive up to the last one that exists; the database removes and renames only earlier ones.
 */
export function missingLogFile(folder: string, control: ControlFile): string | null {
  const { timeline, redo, checkpoint } = control;
  const present = logFiles(folder).filter((name) => name.startsWith(hex(BigInt(timeline))));
  const last = [...present, logFileName(timeline, checkpoint)].sort().at(-1) ?? '';
  for (let position = redo; ; position += BigInt(LOG_FILE_BYTES)) {
    const name = logFileName(timeline, position);
    if (!present.includes(name)) return name <= last ? name : null;
  }
}
