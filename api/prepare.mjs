// Runs at the end of `npm ci`: builds the browser app and compiles the server, so that the first `npm start` is as quick and
// as small as any other. Whatever keeps it from building (an older Node, an install without the tools) is said by the start,
// which builds when it must.
import fs from 'node:fs'
import module from 'node:module'
import path from 'node:path'

// The Node that comes along brings 67 MB of headers for those who compile against it. Nobody does here.
const packages = path.join(import.meta.dirname, '../node_modules')
for (const name of fs.readdirSync(packages).filter((one) => /^node-(?:bin-)?(?:darwin|linux)-/.test(one)))
  fs.rmSync(path.join(packages, name, 'include'), { recursive: true, force: true })

const [major] = process.versions.node.split('.')

if (Number(major) >= 24) {
  // The same folder as in start.mjs; what is imported here is found there.
  module.enableCompileCache(path.join(packages, '.cache/portico'))
  const { ensureWebBuilt } = await import('#start/web-build.ts')
  const tell = (error) => console.error(error.message)
  await ensureWebBuilt(console.log, new AbortController().signal).catch(tell)
  await import('#start/portal.ts').catch(tell)
}
