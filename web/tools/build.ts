import { build } from 'vite'
import { compressAll } from './compress.ts'
import { writeDocuments } from './documents.ts'
import { readManifest } from './manifest.ts'
import { compileTexts } from './texts.ts'

const web = `${import.meta.dirname}/..`
const dist = `${web}/dist`

const quiet = { root: web, logLevel: 'warn' } as const

compileTexts()
await Promise.all([build(quiet), build({ ...quiet, build: { ssr: 'src/prerender.tsx' } })])
await writeDocuments(dist, readManifest(dist))
await compressAll(dist)
// Rendered pages leave timers behind, as in a browser, so the process is ended here.
process.exit()
