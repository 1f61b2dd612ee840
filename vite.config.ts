import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: join(import.meta.dirname, 'web'),
  publicDir: 'public',
  plugins: [react()],
  build: { outDir: '../dist', emptyOutDir: true, sourcemap: false, target: 'es2023', assetsInlineLimit: 0 },
  server: { proxy: { '/api': 'http://localhost:3000' } },
});
