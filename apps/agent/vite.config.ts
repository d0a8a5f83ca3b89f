import { createHash } from 'node:crypto';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

/** The name that `uname -m` gives for each architecture of Node. */
const machines: Partial<Record<NodeJS.Architecture, string>> = { x64: 'x86_64', arm64: 'aarch64' };

/**
 * Packs the Node of this build, which takes some seconds, unless that was done before. It uses
 * gzip, because every Linux can unpack it.
 */
async function packNode(folder: string): Promise<void> {
  const machine = machines[process.arch];
  if (process.platform !== 'linux' || !machine || process.env.AGENT_WITHOUT_NODE) return;
  const node = await readFile(process.execPath);
  const sha256 = createHash('sha256').update(node).digest('hex');
  const about = `${JSON.stringify({ machine, sha256 })}\n`;
  const file = join(folder, 'node.json');
  if ((await readFile(file, 'utf8').catch(() => '')) === about) return;
  await writeFile(join(folder, 'node.gz'), await promisify(gzip)(node, { level: 6 }));
  await writeFile(file, about);
}

/** Puts the script and a Node beside the agent, which a card server needs to install it. */
const installation: Plugin = {
  name: 'installation',
  async writeBundle({ dir = 'dist' }) {
    await copyFile(join(import.meta.dirname, 'install.sh'), join(dir, 'install.sh'));
    await packNode(dir);
  },
};

export default defineConfig({
  plugins: [installation],
  publicDir: false,
  ssr: { noExternal: true },
  build: {
    ssr: 'src/main.ts',
    outDir: 'dist',
    emptyOutDir: false,
    target: 'node24',
    rolldownOptions: {
      output: { entryFileNames: 'linekeeper-agent.mjs' },
      checks: { pluginTimings: false },
    },
  },
});
