import { isUtf8 } from 'node:buffer';

/** True for most names and passwords, which have the same bytes in all encodings. */
export function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) > 0x7f) return false;
  }
  return true;
}

/** The bytes of a text, one latin1 character each, as names and passwords are stored in files. */
export function bytesOf(text: string): string {
  return isAscii(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

export function textOf(bytes: string): string {
  return isAscii(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString('utf8');
}

/** Encodings of operators' files that are not UTF-8, Western first. */
const ENCODINGS = ['windows-1252', 'windows-1250'];

const decoders = ENCODINGS.map((encoding) => new TextDecoder(encoding));

/** The UTF-8 bytes of a text whose bytes are not UTF-8, one result for each possible encoding. */
export function respelled(bytes: string): string[] {
  if (isAscii(bytes)) return [];
  const buffer = Buffer.from(bytes, 'latin1');
  return isUtf8(buffer) ? [] : decoders.map((decoder) => bytesOf(decoder.decode(buffer)));
}

/** The text of bytes in any encoding: as UTF-8, or otherwise in the first possible encoding. */
export function readableOf(bytes: string): string {
  return textOf(respelled(bytes)[0] ?? bytes);
}

/** True if these bytes are the text, in any encoding of operators' files. */
export function isText(bytes: string, text: string): boolean {
  return bytes === bytesOf(text) || encodingOf(bytes, text) !== undefined;
}

/** The encoding, other than UTF-8, in which these bytes are the text. */
export function encodingOf(bytes: string, text: string): string | undefined {
  return ENCODINGS[respelled(bytes).indexOf(bytesOf(text))];
}

/**
 * The bytes of a text as a string, one latin1 character for each byte: in the encoding, or in UTF-8 if the encoding
 * lacks its characters.
 */
export function encoded(text: string, encoding: string | undefined): string {
  const decoder = decoders[ENCODINGS.indexOf(encoding ?? '')];
  if (!decoder || isAscii(text)) return bytesOf(text);
  const characters = decoder.decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
  const bytes = Array.from(text, (character) => characters.indexOf(character));
  return bytes.includes(-1) ? bytesOf(text) : String.fromCharCode(...bytes);
}
