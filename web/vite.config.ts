import path from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compileTexts } from './tools/texts.ts'

/** Where the server listens while `npm run dev -w web` serves the browser app from its sources. */
const server = process.env.PORTICO ?? 'http://localhost:3000'

const routerCore = path.dirname(fileURLToPath(import.meta.resolve('@tanstack/router-core')))

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [react(), { name: 'texts', buildStart: () => (isSsrBuild ? undefined : compileTexts()) }],
  // The pages are rendered once at build by the same tree that the browser hydrates; a router that knew it runs on a
  // server would render another one.
  resolve: { alias: { '@tanstack/router-core/isServer': `${routerCore}/isServer/client.js` } },
  ssr: { noExternal: true },
  build: {
    target: 'es2022',
    outDir: isSsrBuild ? '.cache/prerender' : 'dist',
    manifest: !isSsrBuild,
    assetsInlineLimit: 0,
    // Sizes are checked by tools/budget.ts, compressed as they are sent.
    reportCompressedSize: false,
    ...(isSsrBuild
      ? { ssr: 'src/prerender.tsx', rolldownOptions: { output: { entryFileNames: 'prerender.mjs' } } }
      : { rolldownOptions: { input: 'src/main.tsx' } }),
  },
  server: { proxy: { '/api': server, '/auth': server } },
}))
