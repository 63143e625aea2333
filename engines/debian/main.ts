import { chmodSync, rmSync } from 'node:fs'
import { answerConsole } from './console/door.ts'
import { answerCall } from './http/engine.ts'
import { serve } from './http/serve.ts'
import { machineOf } from './machine.ts'
import { openEngine } from './open.ts'
import { readSettings } from './settings.ts'

// The process that keeps the contract. It is as mighty as root, because the socket of LXD is: it listens on a private
// address, and the public page is a process of its own (console.ts) that asks this one.

const settings = readSettings(process.env)

if (settings.secrets.length === 0) {
  console.error('Set ENGINE_SECRETS to the secret that the portal printed (several: separated by commas).')
  process.exit(1)
}

// The store has hashes of sessions: nobody else on the host reads it.
process.umask(0o077)
const { host, begin, close } = openEngine(settings, machineOf(settings))
await begin()
rmSync(settings.door, { force: true })
const door = await serve({ path: settings.door }, (asked) => answerConsole(host, asked))
// The group of the socket decides who may connect.
chmodSync(settings.door, 0o660)
const server = await serve({ port: settings.port, host: settings.host }, (asked) => answerCall(host, asked))
console.log(`The engine is ready: http://${settings.host}:${settings.port}`)

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => {
    server.close()
    door.close()
    close()
    process.exit(0)
  })
