type CodePage = 'Windows-1250' | 'Windows-1252';
export type Encoding = 'UTF-8' | 'UTF-16' | CodePage;
export type Decoded = { text: string; encoding: Encoding } | { problem: 'workbook' | 'notText' };

/** First bytes of spreadsheet files: .xlsx and .ods are ZIP files, .xls is an OLE container. */
const workbookStarts = ['PK\x03\x04', '\xd0\xcf\x11\xe0'];

/** Control characters never occur in text, so a file with them has another type or encoding. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are looked for
const controls = /[\0-\x08\x0e-\x1f\x7f-\x9f]/;

/**
 * Tries UTF-8, then UTF-16 by its byte order mark, then the Windows code page of the user's
 * language, which is what spreadsheets there save. Never replaces an undecodable letter silently.
 */
export function decode(bytes: Uint8Array<ArrayBuffer>, language: string): Decoded {
  const start = String.fromCharCode(...bytes.subarray(0, 4));
  if (workbookStarts.includes(start)) return { problem: 'workbook' };
  const byteOrder = { '\xff\xfe': 'utf-16le', '\xfe\xff': 'utf-16be' }[start.slice(0, 2)];
  if (byteOrder) {
    const text = tryDecoding(bytes, byteOrder);
    return isText(text) ? { text, encoding: 'UTF-16' } : { problem: 'notText' };
  }
  const text = tryDecoding(bytes, 'utf-8');
  if (text !== undefined)
    return isText(text) ? { text, encoding: 'UTF-8' } : { problem: 'notText' };
  return decodeCodePage(bytes, language === 'pl' ? 'Windows-1250' : 'Windows-1252');
}

function isText(text: string | undefined): text is string {
  return text !== undefined && !text.includes('\0');
}

/** Any bytes decode to letters in a code page; only control characters reveal a binary file. */
function decodeCodePage(bytes: Uint8Array<ArrayBuffer>, encoding: CodePage): Decoded {
  const text = tryDecoding(bytes, encoding);
  return text === undefined || controls.test(text) ? { problem: 'notText' } : { text, encoding };
}

function tryDecoding(bytes: Uint8Array<ArrayBuffer>, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
