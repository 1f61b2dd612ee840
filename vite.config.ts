import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const packages = 'react|react-dom|scheduler|clsx|zod|use-sync-external-store';
const tanstack = 'react-router|router-core|history|store|react-store|query-core|react-query';
const kit = 'core|components/(?:Box|Button|Loader|UnstyledButton|Transition|Text|Title|Group|Stack|Anchor|Container)';
const shell = new RegExp(
  `/node_modules/(?:(?:${packages}|@tanstack/(?:${tanstack}))/|@mantine/core/esm/(?:${kit})/)|/web/lib/(?:api|session)|/shared/(?:endpoint|domains|accounts|page)`,
);

export default defineConfig({
  root: join(import.meta.dirname, 'web'),
  publicDir: 'public',
  plugins: [react()],
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    sourcemap: false,
    target: 'es2023',
    assetsInlineLimit: 0,
    // What every screen needs in one file instead of a dozen: it compresses better, by 6 kB.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'shell', test: shell }] } } },
  },
  // The server compares Origin with Host: the browser's own Host has to arrive.
  server: { proxy: { '/api': { target: 'http://localhost:3000', changeOrigin: false } } },
});
