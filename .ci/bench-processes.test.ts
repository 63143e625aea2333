import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../api/test/support/temporary.ts'

const load = path.resolve(import.meta.dirname, '../bench/support/load.ts')

const server = `import http from 'node:http'
http.createServer((_, answer) => answer.end('up')).listen(Number(process.env.PORT), '127.0.0.1')`

/** A bench that starts a server, prints its process id, and then ends in the given way. */
const bench = (file: string, ending: string) => `
const { endServers, freePort, serverProcess } = await import(${JSON.stringify(load)})
const port = await freePort()
const child = await serverProcess(${JSON.stringify(file)}, { PORT: String(port) }, 'http://127.0.0.1:' + port)
console.log(child.pid)
${ending}`

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test.each<[string, string, NodeJS.Signals | undefined]>([
  ['is over', 'await endServers(child)', undefined],
  ['fails', "throw new Error('3 requests failed.')", undefined],
  ['is stopped', 'await new Promise((resolve) => setTimeout(resolve, 600_000))', 'SIGTERM'],
  ['is interrupted', 'await new Promise((resolve) => setTimeout(resolve, 600_000))', 'SIGINT'],
])('a bench that %s leaves no server running', async (_, ending, signal) => {
  const { folder, remove } = temporaryFolder()
  const file = path.join(folder, 'server.mjs')
  fs.writeFileSync(file, server)
  const child = spawn(process.execPath, ['--input-type=module', '--eval', bench(file, ending)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit')
  child.stdout.once('data', () => signal && child.kill(signal))
  const pid = Number(await text(child.stdout))
  await ended
  expect(pid).toBeGreaterThan(0)
  onTestFinished(() => {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL')
    remove()
  })
  await expect.poll(() => isRunning(pid), { timeout: 30_000 }).toBe(false)
})
