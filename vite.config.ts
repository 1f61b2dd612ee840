import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { openApiDocument } from './shared/checks/openapi.ts';
import { maxWidths } from './web/ui/breakpoints.ts';

const customMedia = Object.entries(maxWidths)
  .map(([layout, width]) => `@custom-media --${layout} (max-width: ${width});`)
  .join('');

/** Defines the custom media of the layouts in each file of styles. */
const layouts: Plugin = {
  name: 'layouts',
  enforce: 'pre',
  transform: (code, id) => (/\/web\/.*\.css$/.test(id) ? customMedia + code : undefined),
};

export default defineConfig({
  root: join(import.meta.dirname, 'web'),
  publicDir: 'public',
  plugins: [react(), layouts],
  css: { transformer: 'lightningcss', lightningcss: { drafts: { customMedia: true } } },
  // React has this hook since version 18, so its copy for older versions is not needed.
  resolve: { alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' } },
  // The API documentation page renders this document. It is generated at build time, so that browsers do not load the
  // generator.
  define: { __API_DOCUMENT__: JSON.stringify(JSON.stringify(openApiDocument('__ORIGIN__'))) },
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    sourcemap: false,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        chunkFileNames: ({ name }) => `assets/${name.startsWith('shared') ? 'shared' : name}-[hash].js`,
        // Files that share code import each other.
        strictExecutionOrder: true,
        // What the app always needs is in one file, and what several screens share in files for the same screens.
        codeSplitting: {
          groups: [
            { name: 'app', tags: ['$initial'], priority: 1 },
            { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 1000 },
          ],
        },
      },
    },
  },
  // The server compares Origin with Host, so the proxy must not change Host.
  server: {
    proxy: {
      '^/api/(?!docs(?:[?#]|$))': { target: 'http://localhost:3000', changeOrigin: false },
      '^/extension/.*\\.zip$': 'http://localhost:3000',
    },
  },
});
