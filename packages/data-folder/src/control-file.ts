import { readFileSync } from 'node:fs';

/**
 * pg_control, which the database reads first: the position from which its log (WAL) is read after a
 * stop or crash.
 */
export interface ControlFile {
  wasShutDown: boolean;
  /** Identifies the database and its last checkpoint; the log contains all changes since then. */
  moment: string;
  /** The last checkpoint, and the position from which the log must be read for it. */
  checkpoint: bigint;
  redo: bigint;
  timeline: number;
}

const FILE_BYTES = 8192;
/** Length of the meaningful part; its last four bytes are a checksum of the rest. */
const CHECKED_BYTES = 292;
const SHUT_DOWN = 1;

/** Returns a message if the control file is not valid. */
export function readControlFile(path: string): ControlFile | string {
  const bytes = readFileSync(path);
  if (bytes.length !== FILE_BYTES) return `is cut: ${bytes.length} bytes instead of ${FILE_BYTES}`;
  if (crc32c(bytes.subarray(0, CHECKED_BYTES)) !== bytes.readUInt32LE(CHECKED_BYTES)) {
    return 'is damaged: its checksum is another';
  }
  const checkpoint = bytes.readBigUInt64LE(32);
  return {
    wasShutDown: bytes.readUInt32LE(16) === SHUT_DOWN,
    moment: `${bytes.readBigUInt64LE(0)}/${checkpoint}`,
    checkpoint,
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
