import { createHash } from 'node:crypto'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { compileTexts } from './tools/texts.ts'

/** Where the server listens while `npm run dev -w web` serves the browser app from its sources. */
const server = process.env.PORTICO ?? 'http://localhost:3000'

const routerCore = path.dirname(fileURLToPath(import.meta.resolve('@tanstack/router-core')))

/**
 * Each file costs a request and compresses worse alone, so what many parts share comes in few files; what fewer share is
 * split by the bundler (decision 0038).
 */
const groups = [
  // The static imports of the entry file.
  { name: 'base', tags: ['$initial' as const], priority: 3 },
  // The layout and stores around the pages of those who are signed in, without the sentences for fields, which pages with forms need.
  {
    name: 'frame',
    test: /\/(?:react-)?query(?:-core)?\/|\/web\/src\/(?:api\/(?!field-fault)|stores\/|ui\/(?!styles\/|more-icons)|components\/(?:form-foot\/|layout\/|load-failure|table\/search-state))/,
    minShareCount: 6,
    priority: 2,
  },
  // Words of the dashboard that one other part has too.
  {
    name: 'words',
    test: /\/texts\/compiled\/messages\/(?:connect|panel_add(?:ed)?|(?:servers|clusters|domains)_count)\.js/,
    priority: 2,
  },
  // Words of a few bytes, each of which would be a file. Those of states come with the component that shows them.
  {
    name: 'words',
    test: /\/texts\/compiled\/messages\/(?!fault_|status_)/,
    minShareCount: 4,
    maxModuleSize: 150,
    priority: 1,
  },
]

/**
 * The name of a class in a build: where it first stands in its file, after a hash of the file. Names are in the styles and
 * in the scripts of every page, where shorter ones save a kilobyte.
 */
function shortName(name: string, file: string, styles: string): string {
  const hash = createHash('sha256')
    .update(path.relative(import.meta.dirname, file))
    .digest('hex')
  const at = styles.search(new RegExp(`\\.${name}(?![\\w-])`))
  return `_${hash.slice(0, 4)}${at < 0 ? name : at.toString(36)}`
}

const texts: Plugin = { name: 'texts', apply: 'serve', buildStart: compileTexts }

export default defineConfig(({ command, isSsrBuild }) => ({
  plugins: [react(), texts],
  ...(command === 'build' && { css: { modules: { generateScopedName: shortName } } }),
  // The pages are rendered once at build by the same tree that the browser hydrates; a router that knew it runs on a
  // server would render another one.
  resolve: {
    alias: [
      { find: '@tanstack/router-core/isServer', replacement: `${routerCore}/isServer/client.js` },
      // A function that older versions of React lacked.
      { find: /^use-sync-external-store\/shim(?:\/index\.js)?$/, replacement: 'react' },
    ],
  },
  ssr: { noExternal: true },
  build: {
    target: 'es2022',
    outDir: isSsrBuild ? '.cache/prerender' : 'dist',
    manifest: !isSsrBuild,
    assetsInlineLimit: 0,
    // Sizes are checked by e2e/weight.spec.ts, compressed as they are sent.
    reportCompressedSize: false,
    ...(isSsrBuild
      ? { ssr: 'src/prerender.tsx', rolldownOptions: { output: { entryFileNames: 'prerender.mjs' } } }
      : {
          rolldownOptions: {
            input: 'src/main.tsx',
            // Every first load carries the names of all files, of which a hash is what cannot be compressed.
            output: {
              codeSplitting: { groups },
              hashCharacters: 'hex',
              chunkFileNames: 'assets/[name]-[hash:7].js',
              assetFileNames: 'assets/[name]-[hash:7][extname]',
            },
          },
        }),
  },
  server: { proxy: { '/api': server, '/auth': server } },
}))
