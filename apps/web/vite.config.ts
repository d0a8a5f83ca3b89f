import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

// The panel compares a request's origin with the host it was sent to.
const forwarded = { target: 'http://127.0.0.1:8080', changeOrigin: false };

/** Fetched beside the code, so that the first text is not drawn twice. */
const preloadFont: Plugin = {
  name: 'preload-font',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((file) => /dm-sans-latin-wght-normal/.test(file))
        .map((file) => ({
          tag: 'link',
          attrs: {
            rel: 'preload',
            as: 'font',
            type: 'font/woff2',
            crossorigin: '',
            href: `/${file}`,
          },
          injectTo: 'head',
        })),
  },
};

export default defineConfig({
  plugins: [react(), preloadFont],
  server: { host: '127.0.0.1', proxy: { '/api': forwarded, '/health': forwarded } },
  build: {
    outDir: 'dist',
    manifest: true,
    target: 'baseline-widely-available',
    modulePreload: { polyfill: false },
    // A data: address would not pass the content policy.
    assetsInlineLimit: 0,
    // Before compression; what a page may weigh is held by a test.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        // HTTP/1.1 gives a browser six connections: a few files, not dozens of crumbs.
        codeSplitting: {
          groups: [
            { name: 'libraries', tags: ['$initial'], test: /node_modules/, priority: 3 },
            {
              name: 'start',
              tags: ['$initial'],
              test: /[\\/]src[\\/](?!app[\\/]main)/,
              priority: 2,
            },
            {
              name: 'shared',
              test: /[\\/](lucide-react|src[\\/]shared)[\\/](?!forms[\\/]|ui[\\/]confirm-dialog)/,
              minShareCount: 2,
              priority: 1,
            },
            // What the list shares with its dialogs would be a dozen files of a kilobyte each.
            {
              name: 'lines-shared',
              test: /[\\/]features[\\/]lines[\\/][^\\/]+$/,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
});
