import type { AttachmentType } from '@linekeeper/contract/tickets/attachments.ts';
import { GIF } from 'image-size/types/gif';
import { JPG } from 'image-size/types/jpg';
import { PNG } from 'image-size/types/png';
import { WEBP } from 'image-size/types/webp';
import { failField } from '../../../platform/errors/refusal.ts';

/** All but tabs, line ends and page breaks: also those that a terminal obeys. */
const CONTROLS = /[^\P{Cc}\t\n\f\r]/u;
const MARKUP = /^<[a-z!?/]/i;
const PDF = /^%PDF-[12]\.\d/;

/** The four by name: the package's own list has readers of formats that cannot be attached. */
const pictures = { 'image/png': PNG, 'image/jpeg': JPG, 'image/gif': GIF, 'image/webp': WEBP };

/** The type and properties of a file, recognised by its content. */
export interface FileFacts {
  type: AttachmentType;
  /** In pixels, as an image says it; null if it is no image. */
  size: { width: number; height: number } | null;
}

/**
 * Recognises a file by its first chunk. Throws FILE_DAMAGED for an image whose size cannot be read from
 * it. What else is in the file is not looked at, as nothing but a download is ever served of it.
 */
export function recognise(head: Buffer): FileFacts {
  const picture = recognisePicture(head);
  if (picture) return picture;
  return {
    type: PDF.test(head.toString('latin1', 0, 16)) ? 'application/pdf' : 'text/plain',
    size: null,
  };
}

function recognisePicture(chunk: Buffer): FileFacts | null {
  // A copy, as they read beyond the end of a buffer that lies in a larger one.
  const head = new Uint8Array(chunk);
  try {
    for (const [type, { validate, calculate }] of Object.entries(pictures)) {
      if (!validate(head)) continue;
      const { width, height } = calculate(head);
      if (width > 0 && height > 0) return { type: type as AttachmentType, size: { width, height } };
      return failField('file', 'FILE_DAMAGED');
    }
    return null;
  } catch {
    // Their way to say that an image ends too early or is malformed.
    return failField('file', 'FILE_DAMAGED');
  }
}

/** Checks that a file is plain text in UTF-8 which does not begin as HTML, SVG or XML. */
export class TextCheck {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #beginning = '';

  /** Throws FILE_TYPE_REFUSED or FILE_IS_MARKUP. Without a chunk the text ends. */
  read(chunk?: Buffer): void {
    const text = this.#decode(chunk);
    if (CONTROLS.test(text)) failField('file', 'FILE_TYPE_REFUSED');
    if (this.#beginning.length >= 2) return;
    this.#beginning = (this.#beginning + text).trimStart().slice(0, 2);
    if (MARKUP.test(this.#beginning)) failField('file', 'FILE_IS_MARKUP');
  }

  #decode(chunk?: Buffer): string {
    try {
      return this.#decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      return failField('file', 'FILE_TYPE_REFUSED');
    }
  }
}
