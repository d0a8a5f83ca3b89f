import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** The layers in the order of base.css, because a build may put another file before it. */
const LAYERS = '@layer base, overlays, shapes, kit, utilities;';
/** Stylesheets of the kit. Utilities override the look of a component, so that its users can change it. */
const isOfKit = /\/src\/kit\/.*\.module\.css$/;
const file = join(import.meta.dirname, 'src/kit/theme/media.css');

/**
 * Adds the widths of media.css to every stylesheet, because Lightning CSS resolves `@custom-media`
 * within one file only. They come last, so that errors name the lines of the source. Stylesheets of
 * the kit are put into a separate layer.
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
