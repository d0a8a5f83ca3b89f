import type { AttachmentType } from '@linekeeper/contract/tickets/attachments.ts';
import { failField } from '../../../platform/errors/refusal.ts';
import { gif, jpeg, png, webp } from './images.ts';
import { failDamaged, type PixelSize, type Structure, StructureReader } from './structure.ts';

/** All but tabs, line ends and page breaks: also those that a terminal obeys. */
const CONTROLS = /[^\P{Cc}\t\n\f\r]/u;
const MARKUP = /^<[a-z!?/]/i;

/** Plain text in UTF-8, which does not begin as HTML, SVG or XML. */
class TextReader {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #beginning = '';

  take(chunk: Buffer): Buffer {
    this.#read(() => this.#decoder.decode(chunk, { stream: true }));
    return chunk;
  }

  finish(): null {
    this.#read(() => this.#decoder.decode());
    return null;
  }

  #read(decode: () => string): void {
    const text = decoded(decode);
    if (CONTROLS.test(text)) failField('file', 'FILE_TYPE_REFUSED');
    if (this.#beginning.length >= 2) return;
    this.#beginning = (this.#beginning + text).trimStart().slice(0, 2);
    if (MARKUP.test(this.#beginning)) failField('file', 'FILE_IS_MARKUP');
  }
}

function decoded(decode: () => string): string {
  try {
    return decode();
  } catch {
    return failField('file', 'FILE_TYPE_REFUSED');
  }
}

/** The type and properties of a file, recognised by its content. */
export interface FileFacts {
  type: AttachmentType;
  size: PixelSize | null;
}

/** Passes on what belongs to a file of one type. */
interface Reader {
  take(chunk: Buffer): Buffer;
  /** Throws if the file is not whole. */
  finish(): PixelSize | null;
}

const NOTHING = Buffer.alloc(0);
/** Every type is known by so many bytes. */
const SIGNATURE = 16;
/** Readers of PDF look for its beginning in so many bytes. */
const PDF_BEGINS_WITHIN = 1024;
const PDF_END = '%%EOF';
/** Readers of ZIP look for its directory at the end, followed by a comment of at most 64 KB. */
const ZIP_ENDS_WITHIN = 65_557;
const ZIP_END = 'PK\x05\x06';
/** Beginnings of files that are put behind images to be read as something else. */
const OTHER_FILES = ['PK\x03\x04', ZIP_END, '%PDF-', 'Rar!\x1a', '7z\xbc\xaf'];
const OTHER_TEXT = /<\s*(?:script|html|head|body|iframe|svg|img|!doctype|\?xml|\?php)/i;
const LONGEST_BEGINNING = 32;

/** How images begin; a dot stands for any byte. */
const pictures: [type: AttachmentType, begins: string, structure: () => Structure][] = [
  ['image/png', '\x89PNG\r\n\x1a\n', png],
  ['image/jpeg', '\xff\xd8\xff', jpeg],
  ['image/gif', 'GIF87a', gif],
  ['image/gif', 'GIF89a', gif],
  ['image/webp', 'RIFF....WEBP', webp],
];

function beginsWith(text: string, begins: string): boolean {
  return [...begins].every((letter, at) => letter === '.' || text[at] === letter);
}

function failHidden(): never {
  failField('file', 'FILE_HOLDS_ANOTHER');
}

/** Finds beginnings of other files, also where they are cut in two. */
class OtherFiles {
  #before = '';

  findsIn(chunk: Buffer): boolean {
    const text = this.#before + chunk.toString('latin1');
    this.#before = text.slice(-LONGEST_BEGINNING);
    return OTHER_TEXT.test(text) || OTHER_FILES.some((begins) => text.includes(begins));
  }
}

/**
 * Keeps an image up to its end. Phones put more behind it, of which no browser draws anything: that is
 * left out, and refused if it is a file of another kind.
 */
class PictureReader implements Reader {
  readonly #structure: StructureReader;
  readonly #rest = new OtherFiles();

  constructor(structure: Structure) {
    this.#structure = new StructureReader(structure);
  }

  take(chunk: Buffer): Buffer {
    const length = this.#structure.take(chunk);
    if (length < chunk.length && this.#rest.findsIn(chunk.subarray(length))) failHidden();
    return chunk.subarray(0, length);
  }

  finish(): PixelSize {
    return this.#structure.size ?? failDamaged();
  }
}

class PdfReader implements Reader {
  #end = '';

  take(chunk: Buffer): Buffer {
    this.#end = (this.#end + chunk.toString('latin1')).slice(-PDF_BEGINS_WITHIN);
    return chunk;
  }

  finish(): null {
    const end = this.#end.lastIndexOf(PDF_END);
    if (end < 0) failDamaged();
    if (/[^\s\0]/.test(this.#end.slice(end + PDF_END.length))) failHidden();
    return null;
  }
}

function readerFor(head: Buffer): { type: AttachmentType; reader: Reader } {
  const text = head.toString('latin1');
  const picture = pictures.find(([, begins]) => beginsWith(text, begins));
  if (picture) return { type: picture[0], reader: new PictureReader(picture[2]()) };
  if (/^%PDF-[12]\.\d/.test(text)) return { type: 'application/pdf', reader: new PdfReader() };
  return { type: 'text/plain', reader: new TextReader() };
}

/**
 * A file, recognised while it is read. Iterating over it gives what is to be kept, and throws for
 * what cannot be attached; afterwards `facts` says what it is.
 */
export class CheckedContent implements AsyncIterable<Buffer> {
  readonly #parts: AsyncIterable<Uint8Array>;
  #head = NOTHING;
  #kept = 0;
  /** Where the last directory of a ZIP was seen. */
  #zipEnd = -1;
  #before = NOTHING;
  facts: FileFacts | null = null;

  constructor(parts: AsyncIterable<Uint8Array>) {
    this.#parts = parts;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    let held = NOTHING;
    let known: ReturnType<typeof readerFor> | null = null;
    for await (const part of this.#parts) {
      held = Buffer.concat([held, part]);
      if (!known && held.length < SIGNATURE) continue;
      known ??= readerFor(held);
      yield this.#look(known.reader.take(held));
      held = NOTHING;
    }
    if (!known && held.length === 0) failField('file', 'FILE_EMPTY');
    known ??= readerFor(held);
    if (held.length > 0) yield this.#look(known.reader.take(held));
    const size = known.reader.finish();
    this.#refuseHidden(known.type);
    this.facts = { type: known.type, size };
  }

  #look(chunk: Buffer): Buffer {
    if (this.#head.length < PDF_BEGINS_WITHIN) {
      this.#head = Buffer.concat([this.#head, chunk]).subarray(0, PDF_BEGINS_WITHIN);
    }
    const searched = Buffer.concat([this.#before, chunk]);
    const found = searched.lastIndexOf(ZIP_END, undefined, 'latin1');
    if (found >= 0) this.#zipEnd = this.#kept - this.#before.length + found;
    this.#before = searched.subarray(-(ZIP_END.length - 1));
    this.#kept += chunk.length;
    return chunk;
  }

  #refuseHidden(type: AttachmentType): void {
    const isZip = this.#zipEnd >= 0 && this.#kept - this.#zipEnd <= ZIP_ENDS_WITHIN;
    const isPdf = type !== 'application/pdf' && this.#head.includes('%PDF-', 0, 'latin1');
    if (isZip || isPdf) failHidden();
  }
}
