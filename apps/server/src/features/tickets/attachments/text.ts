import { failField } from '../../../platform/errors/refusal.ts';

/** All but tabs, line ends and page breaks: also those that a terminal obeys. */
const CONTROLS = /[^\P{Cc}\t\n\f\r]/u;
const MARKUP = /^<[a-z!?/]/i;

/** Plain text in UTF-8, which does not begin as HTML, SVG or XML. */
export class TextReader {
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
