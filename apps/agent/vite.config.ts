import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { withShared } from './install-shared.ts';

/** Writes the script that installs the agent on a card server into the same folder as the agent. */
const installation: Plugin = {
  name: 'installation',
  async writeBundle({ dir = 'dist' }) {
    await writeFile(join(dir, 'install.sh'), withShared(join(import.meta.dirname, 'install.sh')));
  },
};

export default defineConfig({
  plugins: [installation],
  publicDir: false,
  ssr: { noExternal: true },
  build: {
    ssr: 'src/main.ts',
    outDir: 'dist',
    target: 'node24',
    rolldownOptions: {
      output: { entryFileNames: 'linekeeper-agent.mjs' },
      checks: { pluginTimings: false },
    },
  },
});
