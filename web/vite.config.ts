import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** The API that `vite dev` talks to. */
const API = 'http://127.0.0.1:8400';

/** Smaller files than this gain nothing. */
const COMPRESSED_BYTES_MIN = 1400;

/** Writes each script and style compressed beside itself, so that the server need not do it at every request. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    writeBundle({ dir = '' }) {
      const assets = join(dir, 'assets');
      for (const name of readdirSync(assets).filter((file) => /\.(?:js|css|svg)$/.test(file))) {
        const bytes = readFileSync(join(assets, name));
        if (bytes.length < COMPRESSED_BYTES_MIN) continue;
        writeFileSync(join(assets, `${name}.gz`), gzipSync(bytes, { level: 8 }));
        writeFileSync(
          join(assets, `${name}.br`),
          brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } }),
        );
      }
    },
  };
}

/** Writes `pages.json`: the paths of all pages, such as `/gate/$gateId`, for the server to answer. */
function pagePaths(): Plugin {
  return {
    name: 'page-paths',
    apply: 'build',
    async generateBundle() {
      const file = pathToFileURL(join(import.meta.dirname, 'src/page-paths.ts')).href;
      const { PAGE_PATHS } = (await import(file)) as { PAGE_PATHS: readonly string[] };
      this.emitFile({ type: 'asset', fileName: 'pages.json', source: `${JSON.stringify(PAGE_PATHS, null, 2)}\n` });
    },
  };
}

export default defineConfig({
  plugins: [react(), precompress(), pagePaths()],
  publicDir: 'public',
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsDir: 'assets',
    target: 'es2024',
    // The content policy allows no data: scripts, and fonts are cached better as files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What most pages share travels together instead of in thirty small files.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'shared', test: /node_modules/, minShareCount: 20 }] } },
    },
  },
  // Every path that the service answers itself; vite answers all others with the dashboard, which says where there is
  // no page.
  server: {
    proxy: Object.fromEntries(
      [
        '^/v\\d+/',
        '/.well-known/',
        '/files/',
        '/u/',
        '/c/',
        '/o/',
        '/docs',
        '/openapi',
        '/policy.schema.json',
        '/health',
        '/metrics',
      ].map((path) => [path, API]),
    ),
  },
});
