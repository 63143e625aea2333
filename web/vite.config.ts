import path from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { compileTexts } from './tools/texts.ts'
import { usedStyles } from './tools/used-styles.ts'
import { wordsSaid } from './tools/words-said.ts'

/** Where the server listens while `npm run dev -w web` serves the browser app from its sources. */
const server = process.env.PORTICO ?? 'http://localhost:3000'

const routerCore = path.dirname(fileURLToPath(import.meta.resolve('@tanstack/router-core')))

const mantine = '/@mantine/core/esm/components/'

// Where people arrive, only the words come that are said there.
const layout = (name: string) => `components/layout/${name}.tsx`
const onLogin = wordsSaid([layout('plain-layout'), 'screens/login/login.tsx'])
const onDashboard = wordsSaid([
  ...['signed-in', 'main-layout', 'toasts', 'workspace-menu', 'user-menu', 'warning-banner'].map(layout),
  ...['dashboard', 'panel-menu'].map((name) => `screens/dashboard/${name}.tsx`),
])
const wordOf = (id: string) => /\/texts\/compiled\/messages\/_?(\w+)\.js$/.exec(id)?.[1] ?? ''

/**
 * What several pages share comes in few files, because every file costs a round trip and compresses worse alone; and in
 * files that are needed together, so that no page carries what only another one opens.
 */
const groups = [
  { name: 'base', tags: ['$initial' as const], priority: 6 },
  {
    name: 'rules',
    // What a form checks by; of the calls, the addresses are everybody's.
    test: /\/zod\/|\/contract\/src\/(?:resources|fields|jsonapi|calls\/(?!addresses))/,
    minShareCount: 2,
    priority: 6,
  },
  // The words for what was refused: pages without a form say them too.
  {
    name: 'faults',
    test: /\/web\/src\/texts\/(?:faults|compiled\/messages\/fault_)/,
    minShareCount: 2,
    priority: 5,
  },
  {
    name: 'calls',
    test: /\/contract\/src\/(?:calls\/addresses|wire)|\/web\/src\/(?:api\/(?:http|call|failure|refresh)|stores\/session)\.ts|\/(?:noop|registry)\.m?js/,
    minShareCount: 2,
    priority: 8,
  },
  // Small things of many pages, but not of the first one; without this a menu would bring the check boxes for its tick.
  {
    name: 'frame',
    test: /\/use-merged-ref\/|\/Checkbox\/CheckIcon|\/web\/src\/ui\/(?:bones|chunk|late|logo|theme)/,
    minShareCount: 2,
    priority: 5,
  },
  {
    name: 'controls',
    test: new RegExp(
      `${mantine}(?:Button|Input|TextInput|Tabs|Loader)/|/useLocation|/@mantine/core/esm/core/(?!.*/use-mantine-color-scheme/)`,
    ),
    minShareCount: 2,
    priority: 4,
  },
  {
    name: 'data',
    test: /\/(?:react-)?query(?:-core)?\/|\/(?:@tabler(?!.*\/Icon(?:Calendar|File|Paperclip)\.)|use-mantine-color-scheme)\/|\/web\/src\/(?:api\/(?!cards|countries|documents|download|security|upload|usage)|stores\/(?!registering|unsaved)|ui\/(?:empty|format|lazily|status))/,
    minShareCount: 2,
    priority: 3,
  },
  {
    name: 'menus',
    test: new RegExp(`${mantine}(?:Menu|Popover)/|menu-styles`),
    minShareCount: 2,
    priority: 2,
  },
  {
    name: 'dialogs',
    test: new RegExp(`${mantine}(?:Modal|ModalBase|Drawer|CloseButton)/|dialog-styles`),
    minShareCount: 2,
    priority: 1,
  },
  // Words before those who say them, or each of these would keep what others say too.
  { name: 'texts', test: (id: string) => onLogin.has(wordOf(id)), minShareCount: 3, priority: 2 },
  {
    name: 'dashboard-words',
    test: (id: string) => onDashboard.has(wordOf(id)),
    minShareCount: 2,
    priority: 2,
  },
  // The words of shared access: no other page carries them.
  {
    name: 'sharing',
    test: /\/web\/src\/texts\/compiled\/messages\/(?:delegate|invite|level|may|member|permission|team)_/,
    minShareCount: 2,
    priority: 2,
  },
  // The words of the dialogs about workspaces and panels, which share them by twos and threes.
  {
    name: 'panels',
    test: /\/web\/src\/texts\/compiled\/messages\/(?:panel|workspace|error)_/,
    minShareCount: 2,
    priority: 2,
  },
  // Not those that forms alone say.
  {
    name: 'words',
    test: /\/web\/src\/texts\/(?!faults|compiled\/messages\/(?:(?:account|commerce|company|fault|files?|leave|link|rows|strength|tickets?)_|county|nothing_found_|previous|zip))/,
    minShareCount: 3,
    priority: 1,
  },
  {
    name: 'guest',
    test: /\/web\/src\/components\/(?:layout\/plain|guest\/(?:card|guest|offer|password-field|refusal|search|sign-in|ways))/,
    minShareCount: 2,
    priority: 1,
  },
  {
    name: 'forms',
    test: /\/@mantine\/form\/|\/useBlocker|\/web\/src\/(?:components\/forms\/(?:saving-form|refusal)|texts\/)/,
    minShareCount: 3,
    priority: 0,
  },
  // What heavier groups would keep to themselves: forms and the frame of pages share the one, menus and forms the other.
  { name: 'drafts', test: /\/web\/src\/stores\/unsaved/, minShareCount: 2, priority: 5 },
  { name: 'checks', test: new RegExp(`${mantine}(?:Checkbox|InlineInput)/`), minShareCount: 2, priority: 3 },
]

const texts: Plugin = { name: 'texts', apply: 'serve', buildStart: compileTexts }

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [react(), usedStyles(), texts],
  // The pages are rendered once at build by the same tree that the browser hydrates; a router that knew it runs on a
  // server would render another one.
  resolve: {
    alias: [
      { find: '@tanstack/router-core/isServer', replacement: `${routerCore}/isServer/client.js` },
      // What older versions of React lacked.
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
              chunkFileNames: 'assets/[name]-[hash:7].js',
              assetFileNames: 'assets/[name]-[hash:7][extname]',
            },
          },
        }),
  },
  server: { proxy: { '/api': server, '/auth': server } },
}))
