import module from 'node:module'
import path from 'node:path'

// Keeps what stripping types made, so that the next start need not load the stripper, which holds 30 MB for good.
module.enableCompileCache(path.join(import.meta.dirname, '../../node_modules/.cache/portico-engine'))
await import('./main.ts')
// Written now: a process that is killed would leave nothing.
module.flushCompileCache()
