import module from 'node:module'
import path from 'node:path'

// Plain JavaScript on purpose: an older Node cannot even parse the rest, and would answer with a riddle.
const [major] = process.versions.node.split('.')

if (Number(major) < 24) {
  console.error(
    `Portico runs on Node 24 or newer, and this is Node ${process.versions.node}. Start it with "npm start", which uses ` +
      'the Node 24 that "npm ci" brings along. If this came from "npm start", that part was left out: run "npm ci" ' +
      'without --omit=optional, or install Node 24.',
  )
  process.exitCode = 1
} else {
  // Keeps what stripping types and compiling made, so that the next start need not do it again: a third of the time, and
  // the stripper's 30 MB. Beside the packages, because a folder that others can write to could be filled with their code.
  module.enableCompileCache(path.join(import.meta.dirname, '../node_modules/.cache/portico'))
  await import('#start/main.ts')
}
