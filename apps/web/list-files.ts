import type { Plugin } from 'vite';

/**
 * Writes files.json, with the names of all files of this build, and the script that refers to it.
 * Pages read it to store the files that they need without a connection.
 */
export function listFiles(): Plugin {
  return {
    name: 'list-files',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const outputs = Object.values(bundle);
        const entry = outputs.find((output) => output.type === 'chunk' && output.name === 'entry');
        const files = outputs
          .map(({ fileName }) => fileName)
          .filter((name) => name.startsWith('assets/'))
          .sort();
        const list = {
          build: `/${entry?.fileName}`,
          files: files.map((name) => `/${name}`),
        };
        this.emitFile({ type: 'asset', fileName: 'files.json', source: JSON.stringify(list) });
      },
    },
  };
}
