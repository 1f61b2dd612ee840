import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { openApiDocument } from './shared/openapi.ts';

const packages = 'react|react-dom|scheduler|clsx|zod|use-sync-external-store';
const tanstack = 'react-router|router-core|history|store|react-store|query-core|react-query';
const shell = new RegExp(
  `/web/(?:main|routes)\\.tsx$|/node_modules/(?:(?:${packages}|@tanstack/(?:${tanstack}))/)|/web/(?:lib/api|session/session)|/shared/(?:endpoint|domains|accounts|page)`,
);
const ofLists = /\/web\/(?:ui|lib)\/(?:pagination|copy-button|fields|use-list-url|use-draft|use-run|format)/;

export default defineConfig({
  root: join(import.meta.dirname, 'web'),
  publicDir: 'public',
  plugins: [react()],
  // The page about the API is drawn from this document. It is made here, so that no browser loads what makes it.
  define: { __API_DOCUMENT__: JSON.stringify(JSON.stringify(openApiDocument('__ORIGIN__'))) },
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    sourcemap: false,
    target: 'es2023',
    assetsInlineLimit: 0,
    // Without it a browser from before 2024 loads the same files, only one after the other.
    modulePreload: { polyfill: false },
    // What every screen needs, with all that it imports, in one file instead of two dozen; what lists and many screens share,
    // which loads and compresses better than a file for each of its pieces; what the blacklist shares with its lazy parts; and
    // what all of the kit builds on.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'shell', test: shell, priority: 1 },
            { name: 'lists', test: ofLists },
            { name: 'blacklist', test: /\/web\/domains\/(?:display|queries)\./ },
            { name: 'icons', test: /\/lucide-react\/dist\/esm\/icons\//, minShareCount: 3 },
            { name: 'kit', test: /@mantine\/core\/esm\/core/ },
          ],
        },
      },
    },
  },
  // The server compares Origin with Host: the browser's own Host has to arrive.
  server: { proxy: { '^/api/(?!docs(?:[?#]|$))': { target: 'http://localhost:3000', changeOrigin: false } } },
});
