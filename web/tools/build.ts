import { build } from 'vite'
import { compressAll } from './compress.ts'
import { deskBuild, deskEntry } from './desk.ts'
import { writeDesk, writeDocuments } from './documents.ts'
import { readManifest } from './manifest.ts'
import { pricesBuild, pricesManifest } from './prices.ts'
import { compileTexts } from './texts.ts'

const web = `${import.meta.dirname}/..`
const dist = `${web}/dist`

const quiet = { root: web, logLevel: 'warn' } as const

compileTexts()
await Promise.all([build(quiet), build({ ...quiet, build: { ssr: 'src/prerender.tsx' } })])
// The first build empties the folder that the others write into.
await Promise.all([build({ ...quiet, ...deskBuild }), build({ ...quiet, ...pricesBuild })])
await writeDocuments(dist, readManifest(dist), readManifest(dist, pricesManifest))
const desk = `${dist}/desk`
writeDesk(desk, readManifest(desk), deskEntry)
await compressAll(dist)
// Rendered pages leave timers behind, as in a browser, so the process is ended here.
process.exit()
