import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

/** Text formats only: images and fonts are compressed already. */
const TEXT = /\.(?:js|css|html|svg|json|txt|webmanifest)$/;
/** Compressing a smaller file saves no network packet. */
const WORTH_PACKING_BYTES = 1024;

const packers = {
  br: (text: Buffer) =>
    promisify(brotliCompress)(text, {
      params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
    }),
  gz: (text: Buffer) => promisify(gzip)(text, { level: constants.Z_BEST_COMPRESSION }),
};

async function packFile(file: string): Promise<void> {
  const text = await readFile(file);
  if (text.length < WORTH_PACKING_BYTES) return;
  for (const [ending, pack] of Object.entries(packers)) {
    await writeFile(`${file}.${ending}`, await pack(text));
  }
}

/**
 * Writes a compressed copy (.br and .gz) beside every text file of the build. Compressing once at
 * build time allows the highest level, which would be too slow for each request.
 */
export function packFiles(): Plugin {
  let folder = '';
  return {
    name: 'pack-files',
    apply: 'build',
    configResolved: ({ root, build }) => {
      folder = join(root, build.outDir);
    },
    closeBundle: async () => {
      const names = await readdir(folder, { recursive: true });
      // Files whose name begins with a dot describe the build and are not served.
      const texts = names.filter((name) => TEXT.test(name) && !name.startsWith('.'));
      await Promise.all(texts.map((name) => packFile(join(folder, name))));
    },
  };
}
