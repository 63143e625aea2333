import fs from 'node:fs'
import { filesOf, type Manifest, readManifest } from './manifest.ts'

const base = ['src/main.tsx']
const signedIn = [
  'src/guard.ts',
  'src/components/layout/signed-in.tsx',
  'src/components/layout/main-layout.tsx',
]
const later = [
  'src/components/layout/overlays.tsx',
  'src/components/layout/workspace-menu.tsx',
  'src/components/layout/user-menu.tsx',
  'src/components/layout/toasts.tsx',
  'src/screens/dashboard/panel-menu.tsx',
]
const login = [...base, 'src/components/layout/plain-layout.tsx', 'src/screens/login/login.tsx']
const dashboard = [...base, ...signedIn, 'src/screens/dashboard/dashboard.tsx']
const billing = [...base, ...signedIn, 'src/screens/billing/billing.tsx']

/** What a first visit may transfer, JavaScript and styles, compressed by brotli, in KB of 1000 bytes. */
const budgets = [
  { name: 'login', sources: login, limit: 125 },
  { name: 'dashboard, before first content', sources: dashboard, limit: 150 },
  { name: 'dashboard, in all', sources: [...dashboard, ...later], limit: 185 },
  { name: 'billing', sources: billing, limit: 245 },
] as const

function transferred(dist: string, file: string): number {
  const compressed = `${dist}${file}.br`
  return fs.statSync(fs.existsSync(compressed) ? compressed : dist + file).size
}

/** Prints what each page weighs; throws when one is over its budget. */
function checkBudget(dist: string, manifest: Manifest): void {
  const lines = budgets.map(({ name, sources, limit }) => {
    const missing = sources.find((source) => !manifest[source])
    if (missing) throw new Error(`The budget of ${name} counts ${missing}, which is not built.`)
    const files = new Set(sources.flatMap((source) => filesOf(manifest, source)))
    const bytes = [...files].reduce((sum, file) => sum + transferred(dist, file), 0)
    return {
      over: bytes > limit * 1000,
      text: `${name}: ${(bytes / 1000).toFixed(1)} of ${limit} KB (brotli)`,
    }
  })
  console.log(lines.map(({ text }) => text).join('\n'))
  const over = lines.filter((line) => line.over)
  if (over.length > 0) throw new Error(`Over budget: ${over.map(({ text }) => text).join('; ')}`)
}

const dist = `${import.meta.dirname}/../dist`
checkBudget(dist, readManifest(dist))
