import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** The order of the layers as base.css has it, because a build may put another file before it. */
const LAYERS = '@layer base, overlays, shapes, kit, utilities;';
/** Utilities win over the look of a component, so what uses it can say otherwise. */
const isOfKit = /\/src\/kit\/.*\.module\.css$/;
const file = join(import.meta.dirname, 'src/kit/theme/media.css');

/**
 * Adds the widths of media.css to every stylesheet, because Lightning CSS resolves `@custom-media` within
 * one file only. They come last, so that errors name the lines of the source. What the kit draws is in a layer of its own.
 */
export function customMedia(): Plugin {
  return {
    name: 'custom-media',
    enforce: 'pre',
    transform: {
      filter: { id: /\/src\/.*\.css$/ },
      handler(code, id) {
        this.addWatchFile(file);
        return `${isOfKit.test(id) && !code.includes('@layer') ? `${LAYERS}@layer kit {${code}\n}` : code}\n${readFileSync(file, 'utf8')}`;
      },
    },
  };
}
