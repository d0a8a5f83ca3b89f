import { isUtf8 } from 'node:buffer';

/** True for most names and passwords, which are their own bytes in all encodings. */
export function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) > 0x7f) return false;
  }
  return true;
}

/** The bytes of a text, one latin1 character each: names and passwords as they stand in files. */
export function bytesOf(text: string): string {
  return isAscii(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

export function textOf(bytes: string): string {
  return isAscii(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString('utf8');
}

/** Of operators' files that are not UTF-8; Western first. */
const OTHERS = ['windows-1252', 'windows-1250'].map((label) => new TextDecoder(label));

/** What bytes that are no UTF-8 would be in it, for each encoding that they may be of. */
export function respelled(bytes: string): string[] {
  if (isAscii(bytes)) return [];
  const buffer = Buffer.from(bytes, 'latin1');
  return isUtf8(buffer) ? [] : OTHERS.map((encoding) => bytesOf(encoding.decode(buffer)));
}

/** Whether these bytes are the text, in any encoding of operators' files. */
export function isText(bytes: string, text: string): boolean {
  return bytes === bytesOf(text) || respelled(bytes).includes(bytesOf(text));
}
