import { readCccam } from './cccam-file.ts';
import { readCsv } from './csv-file.ts';
import { readOscam } from './oscam-file.ts';
import type { FoundFile } from './outcome.ts';

export const formats = ['cccam', 'oscam', 'csv', 'accounts'] as const;
export type Format = (typeof formats)[number];

function tryDecoding(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** UTF-8, UTF-16 with its mark, or else Windows-1252, which spreadsheets save. */
function decode(bytes: Uint8Array): string {
  const mark = Buffer.from(bytes.subarray(0, 2)).toString('latin1');
  const utf16 = { '\xff\xfe': 'utf-16le', '\xfe\xff': 'utf-16be' }[mark];
  const text = utf16
    ? tryDecoding(bytes, utf16)
    : (tryDecoding(bytes, 'utf-8') ?? tryDecoding(bytes, 'windows-1252'));
  if (text === null || text.includes('\0')) {
    throw new Error('This is no text. Of a workbook save a CSV file and take that');
  }
  return text;
}

function guessFormat(text: string): Format {
  if (/^\s*\[\s*account\s*\]/im.test(text)) return 'oscam';
  return /^\s*F\s*:/im.test(text) ? 'cccam' : 'csv';
}

/** Reads a file in the format, or in the one that it looks like. Throws where it cannot be read. */
export function readFoundFile(bytes: Uint8Array, format: Format | null): FoundFile {
  const text = decode(bytes);
  const meant = format ?? guessFormat(text);
  if (meant === 'cccam') {
    return { kind: 'lines', format: 'CCcam.cfg', rows: readCccam(text), ignored: [] };
  }
  if (meant === 'oscam') {
    return { kind: 'lines', format: 'oscam.user', rows: readOscam(text), ignored: [] };
  }
  if (meant === 'accounts') return readCsv(text, 'accounts');
  return readCsv(text, format === 'csv' ? 'lines' : null);
}
