// `npm run build`: builds the browser app if its sources have changed, and records from which, so that no start builds again.
import { ensureWebBuilt } from '#start/web-build.ts'

const halt = new AbortController()
// The build is a process group of its own, which the terminal does not reach.
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => halt.abort())

await ensureWebBuilt(console.log, halt.signal).catch((error) => {
  console.error(error.message)
  process.exitCode = 1
})
