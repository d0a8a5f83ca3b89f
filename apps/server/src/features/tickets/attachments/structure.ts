import { failField } from '../../../platform/errors/refusal.ts';

/** The next step in reading a file: bytes to read, bytes to skip, or all bytes up to one value. */
type Want = { read: number } | { skip: number } | { seek: number };

export interface PixelSize {
  width: number;
  height: number;
}

/** Walks through an image as its format says, and returns its size at its end. */
export type Structure = Generator<Want, PixelSize, Buffer>;

const NOTHING = Buffer.alloc(0);

export function failDamaged(): never {
  failField('file', 'FILE_DAMAGED');
}

/** Gives a structure the bytes it wants, however they are cut when they arrive. */
export class StructureReader {
  readonly #structure: Structure;
  #want: Want | null = null;
  #held = NOTHING;
  /** null until the image has ended. */
  size: PixelSize | null = null;

  constructor(structure: Structure) {
    this.#structure = structure;
    this.#advance(NOTHING);
  }

  /** Returns how many of the bytes belong to the image: fewer than given once it has ended. */
  take(chunk: Buffer): number {
    let at = 0;
    while (this.#want && at < chunk.length) at += this.#give(this.#want, chunk.subarray(at));
    return at;
  }

  #give(want: Want, chunk: Buffer): number {
    if ('seek' in want) {
      const found = chunk.indexOf(want.seek);
      if (found < 0) return chunk.length;
      this.#advance(NOTHING);
      return found + 1;
    }
    if ('skip' in want) {
      const passed = Math.min(want.skip, chunk.length);
      if (passed === want.skip) this.#advance(NOTHING);
      else this.#want = { skip: want.skip - passed };
      return passed;
    }
    const taken = chunk.subarray(0, want.read - this.#held.length);
    this.#held = Buffer.concat([this.#held, taken]);
    if (this.#held.length === want.read) this.#advance(this.#held);
    return taken.length;
  }

  #advance(read: Buffer): void {
    this.#held = NOTHING;
    let step = this.#structure.next(read);
    while (!step.done && 'skip' in step.value && step.value.skip === 0) {
      step = this.#structure.next(NOTHING);
    }
    if (!step.done) {
      this.#want = step.value;
      return;
    }
    this.#want = null;
    const { width, height } = step.value;
    if (width === 0 || height === 0) failDamaged();
    this.size = { width, height };
  }
}
