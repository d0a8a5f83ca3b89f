import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const file = join(import.meta.dirname, 'src/kit/theme/media.css');

/**
 * Adds the widths of media.css to every stylesheet, because Lightning CSS resolves `@custom-media` within
 * one file only. They come last, so that errors name the lines of the source.
 */
export function customMedia(): Plugin {
  return {
    name: 'custom-media',
    enforce: 'pre',
    transform: {
      filter: { id: /\/src\/.*\.css$/ },
      handler(code) {
        this.addWatchFile(file);
        return `${code}\n${readFileSync(file, 'utf8')}`;
      },
    },
  };
}
