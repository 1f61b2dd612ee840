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
  plugins: [react(), layouts],
  css: { transformer: 'lightningcss', lightningcss: { drafts: { customMedia: true } } },
  // The page of the API documentation renders it. Browsers do not load its generator.
  define: { __API_DOCUMENT__: JSON.stringify(JSON.stringify(openApiDocument('__ORIGIN__'))) },
  build: {
    outDir: '../dist',
    emptyOutDir: true,
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
            { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 600 },
          ],
        },
      },
    },
  },
  // The server compares Origin with Host, so the proxy must not change Host.
  server: {
    proxy: {
      '^/(?:api/(?!docs(?:[?#]|$))|extension/.*\\.zip$)': { target: 'http://localhost:3000', changeOrigin: false },
    },
  },
});
