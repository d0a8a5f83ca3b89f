import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import { customMedia } from './custom-media.ts';
import { fileGroups, LIBRARIES, START } from './file-groups.ts';
import { listFiles } from './list-files.ts';
import { packFiles } from './pack-files.ts';
import manifest from './package.json' with { type: 'json' };
import { slimContract, slimSchemas } from './slim.ts';

// Keeps the Host header, because the panel compares a request's origin with its host.
const forwarded = { target: 'http://127.0.0.1:8080', changeOrigin: false };

/**
 * Adds preload links for the font, so that text does not render twice, and for the files that the
 * first script imports, so that they load in parallel.
 */
const preloadStart: Plugin = {
  name: 'preload-start',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) => {
      const fonts = Object.keys(bundle).filter((file) => /dm-sans-latin-wght-normal/.test(file));
      const { scripts, styles } = startFiles(bundle);
      const link = (attrs: Record<string, string>) => ({
        tag: 'link',
        attrs: { ...attrs, crossorigin: '' },
        injectTo: 'head' as const,
      });
      return [
        ...scripts.map((file) => link({ rel: 'modulepreload', href: `/${file}` })),
        ...styles.map((file) => link({ rel: 'stylesheet', href: `/${file}` })),
        ...fonts.map((file) =>
          link({ rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}` }),
        ),
      ];
    },
  },
};

function startFiles(bundle: Rolldown.OutputBundle) {
  const scripts = new Set<string>();
  const styles = new Set<string>();
  const add = (file: string) => {
    const chunk = bundle[file];
    if (chunk?.type !== 'chunk' || chunk.name === 'entry' || scripts.has(file)) return;
    scripts.add(file);
    for (const style of chunk.viteMetadata?.importedCss ?? []) styles.add(style);
    for (const imported of chunk.imports) add(imported);
  };
  for (const [file, output] of Object.entries(bundle)) {
    const id = output.type === 'chunk' ? output.facadeModuleId : null;
    if (id?.endsWith(START) || id?.endsWith(LIBRARIES)) add(file);
  }
  return { scripts: [...scripts], styles: [...styles] };
}

/**
 * Names of files with several modules, which stay in file names; other files have one module each,
 * which the manifest names.
 */
const KEPT = /^(rolldown-runtime|libraries|start|entry|frame|shared|fields|dialogs|main)$/;
/** Files that index.html preloads, so that pages need not request them. */
const STARTED = /\/(rolldown-runtime|libraries|start)-[^/]*\.js$/;

export default defineConfig({
  define: { 'import.meta.env.VITE_VERSION': JSON.stringify(manifest.version) },
  plugins: [
    react(),
    tailwind(),
    customMedia(),
    slimSchemas,
    slimContract,
    preloadStart,
    listFiles(),
    packFiles(),
  ],
  css: { transformer: 'lightningcss', lightningcss: { drafts: { customMedia: true } } },
  server: { host: '127.0.0.1', proxy: { '/api': forwarded, '/health': forwarded } },
  build: {
    outDir: 'dist',
    manifest: true,
    target: 'baseline-widely-available',
    modulePreload: {
      polyfill: false,
      // The files that each page needs, as the first script lists them. Files that index.html preloads are left out,
      // and scripts are sorted, because that compresses well; the order of styles matters and stays.
      resolveDependencies: (_file, needed) => {
        const scripts = needed.filter((file) => file.endsWith('.js') && !STARTED.test(file));
        const styles = needed.filter((file) => !file.endsWith('.js'));
        return [...scripts.sort(), ...styles];
      },
    },
    // Only icons may become data: addresses, because they are small; the content policy would
    // refuse a font in that form.
    assetsInlineLimit: (file) => /\/ui\/icons\/[^/]*\.svg$/.test(file),
    // Size before compression; a test limits the compressed size of a page.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        // The hashes have 42 bits, because the first script names every other file, and names and
        // hashes compress badly.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: ({ name }) =>
          KEPT.test(name) ? 'assets/[name]-[hash:7].js' : 'assets/[hash:7].js',
        assetFileNames: ({ names }) =>
          names[0]?.endsWith('.css')
            ? 'assets/[hash:7][extname]'
            : 'assets/[name]-[hash:7][extname]',
        // HTTP/1.1 gives a browser six connections, so the build makes a few large files.
        codeSplitting: { includeDependenciesRecursively: false, groups: fileGroups },
      },
    },
  },
});
