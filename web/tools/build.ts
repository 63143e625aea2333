import { build } from 'vite'
import { compressAll } from './compress.ts'
import { writeDocuments } from './documents.ts'
import { readManifest } from './manifest.ts'

const web = `${import.meta.dirname}/..`
const dist = `${web}/dist`

const quiet = { root: web, logLevel: 'warn' } as const

// One after the other: the second needs the texts that the first compiles.
await build(quiet)
await build({ ...quiet, build: { ssr: 'src/prerender.tsx' } })

const manifest = readManifest(dist)
await writeDocuments(dist, manifest)
await compressAll(dist)
