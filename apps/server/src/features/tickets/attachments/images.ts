import { failDamaged, type PixelSize, type Structure } from './structure.ts';

/** Beyond it lie only lengths that no file of ours can have. */
const MOST = 2 ** 31;

export function* png(): Structure {
  yield { skip: 8 };
  const head = yield { read: 25 };
  if (head.readUInt32BE(0) !== 13 || head.toString('latin1', 4, 8) !== 'IHDR') failDamaged();
  const size = { width: head.readUInt32BE(8), height: head.readUInt32BE(12) };
  for (;;) {
    const part = yield { read: 8 };
    const [length, name] = [part.readUInt32BE(0), part.toString('latin1', 4)];
    if (length >= MOST || !/^[A-Za-z]{4}$/.test(name)) failDamaged();
    if (name === 'IEND' && length > 0) failDamaged();
    // Its checksum follows.
    yield { skip: length + 4 };
    if (name === 'IEND') return size;
  }
}

/** The colours that a byte of flags announces, three bytes each. */
function colourBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

function* gifBlocks(): Generator<{ read: number } | { skip: number }, void, Buffer> {
  for (;;) {
    const [length = 0] = yield { read: 1 };
    if (length === 0) return;
    yield { skip: length };
  }
}

export function* gif(): Structure {
  const screen = yield { read: 13 };
  let size = { width: screen.readUInt16LE(6), height: screen.readUInt16LE(8) };
  yield { skip: colourBytes(screen.readUInt8(10)) };
  for (;;) {
    const [kind] = yield { read: 1 };
    if (kind === 0x3b) return size;
    if (kind === 0x21) {
      yield { skip: 1 };
    } else if (kind === 0x2c) {
      const image = yield { read: 9 };
      size = larger(size, { width: image.readUInt16LE(4), height: image.readUInt16LE(6) });
      yield { skip: colourBytes(image.readUInt8(8)) + 1 };
    } else failDamaged();
    yield* gifBlocks();
  }
}

function larger(a: PixelSize, b: PixelSize): PixelSize {
  return { width: Math.max(a.width, b.width), height: Math.max(a.height, b.height) };
}

type JpegStep<T> = Generator<{ read: number } | { skip: number } | { seek: number }, T, Buffer>;

/** The kind of the marker whose first byte was read. */
function* jpegKind(): JpegStep<number> {
  for (;;) {
    const [kind = 0] = yield { read: 1 };
    if (kind !== 0xff) return kind;
  }
}

function* jpegMarker(): JpegStep<number> {
  const [start] = yield { read: 1 };
  return start === 0xff ? yield* jpegKind() : failDamaged();
}

const isRestart = (kind: number) => kind >= 0xd0 && kind <= 0xd7;
const isFrame = (kind: number) =>
  kind >= 0xc0 && kind <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(kind);

/** Passes over compressed pixels; returns the marker after them. */
function* jpegPixels(): JpegStep<number> {
  for (;;) {
    yield { seek: 0xff };
    const kind = yield* jpegKind();
    if (kind !== 0 && !isRestart(kind)) return kind;
  }
}

export function* jpeg(): Structure {
  yield { skip: 2 };
  let size: PixelSize | null = null;
  let kind = yield* jpegMarker();
  while (kind !== 0xd9) {
    if (kind === 0xd8 || kind === 0) failDamaged();
    if (kind === 0x01 || isRestart(kind)) {
      kind = yield* jpegMarker();
      continue;
    }
    let left = (yield { read: 2 }).readUInt16BE() - 2;
    if (isFrame(kind)) {
      const frame = yield { read: 5 };
      size ??= { height: frame.readUInt16BE(1), width: frame.readUInt16BE(3) };
      left -= 5;
    }
    if (left < 0) failDamaged();
    yield { skip: left };
    kind = kind === 0xda ? yield* jpegPixels() : yield* jpegMarker();
  }
  return size ?? failDamaged();
}

/** By the name of its first part; null for others. */
const webpSizes: Record<string, (head: Buffer) => PixelSize | null> = {
  'VP8 ': (head) =>
    head.readUIntBE(23, 3) === 0x9d012a
      ? { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff }
      : null,
  VP8L: (head) => {
    const bits = head.readUInt32LE(21);
    return head[20] === 0x2f
      ? { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
      : null;
  },
  VP8X: (head) => ({ width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 }),
};

const WEBP_HEAD = 30;

export function* webp(): Structure {
  const head = yield { read: WEBP_HEAD };
  const size = webpSizes[head.toString('latin1', 12, 16)]?.(head);
  const length = head.readUInt32LE(4) + 8;
  if (!size || length < WEBP_HEAD || length >= MOST) return failDamaged();
  yield { skip: length - WEBP_HEAD };
  return size;
}
