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
  await import('./src/main.ts')
}
