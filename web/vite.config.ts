import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The API that `vite dev` talks to. */
const API = 'http://127.0.0.1:8400';

export default defineConfig({
  plugins: [react()],
  publicDir: 'public',
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsDir: 'assets',
    target: 'es2024',
    // The content policy allows no data: scripts, and fonts are cached better as files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/v1': API, '/v2': API, '/v5': API, '/files': API } },
});
