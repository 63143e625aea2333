import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type Answer, type Asked, ReferenceEngine } from '../example/engine.ts'
import { checkEngine } from './run.ts'

const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
const closing: (() => unknown)[] = []

afterAll(() => {
  for (const close of closing) close()
})

type Call = Parameters<ReferenceEngine['rename']>[0]
type Parts = ConstructorParameters<typeof ReferenceEngine>[0]

/** Serves an engine on a free port; returns where. */
async function serve(make: (parts: Parts) => ReferenceEngine): Promise<string> {
  let url = ''
  const engine = make({ secrets: [secret], url: () => url, tell: () => undefined })
  const server = createServer(async (request, response) => {
    const { method = '', url: target = '', headers } = request
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const token = /token=([\w-]+)/.exec(target)?.[1]
    const body = Buffer.concat(chunks).toString()
    // None of the headers that the engine reads comes twice.
    const asked = { method, target, body, headers: headers as Asked['headers'] }
    const answer: Answer = token === undefined ? engine.handle(asked) : engine.enter(token)
    response.writeHead(answer.status).end(answer.body === undefined ? '' : JSON.stringify(answer.body))
  }).listen(0, '127.0.0.1')
  closing.push(() => server.close())
  await once(server, 'listening')
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  return url
}

async function failures(make: (parts: Parts) => ReferenceEngine): Promise<string[]> {
  const outcomes = await checkEngine({ url: await serve(make), secret })
  return outcomes.filter(({ state }) => state === 'failed').map(({ name }) => name)
}

class Credulous extends ReferenceEngine {
  override believe(): void {
    // It believes whoever asks.
  }
}

class Doubling extends ReferenceEngine {
  override create(body: Record<string, unknown>): Answer {
    const made = super.create(body)
    if (made.status !== 200) return made
    const twin = { ...Object(made.body), id: `p-${this.panels.size}-twin` }
    this.panels.set(twin.id, twin)
    return { status: 201, body: twin }
  }
}

class Forgetful extends ReferenceEngine {
  override enter(token: string): Answer {
    const link = this.links.get(token)
    const answer = super.enter(token)
    if (link) this.links.set(token, { ...link, expires: Date.now() + 60_000 })
    return answer.status === 410 && link ? { status: 200, body: link } : answer
  }
}

class Shuffling extends ReferenceEngine {
  #walks = 0

  override resources(call: Call): Answer {
    const answer = super.resources(call)
    const { items, next } = Object(answer.body)
    if (!call.query.has('cursor')) this.#walks += 1
    return { ...answer, body: { items: this.#walks % 2 ? items : items?.toReversed(), next } }
  }
}

class Touchy extends ReferenceEngine {
  override move(call: Call, status: string): Answer {
    return this.panel(call).status === status ? { status: 409 } : super.move(call, status)
  }
}

class Vague extends ReferenceEngine {
  override panel(call: Call) {
    if (!this.panels.has(call.parts[0] ?? '')) throw new Error('the engine fell over')
    return super.panel(call)
  }
}

class Lenient extends ReferenceEngine {
  override revoke(): Answer {
    return { status: 204 }
  }
}

test.concurrent.each<[string, (parts: Parts) => ReferenceEngine, string[]]>([
  ['keeps the contract', (parts) => new ReferenceEngine(parts), []],
  [
    'believes everybody',
    (parts) => new Credulous(parts),
    [
      'an unsigned call is refused',
      'a signature by another secret is refused',
      'a signature of another text is refused',
      'a signature that is older than five minutes, or from the future, is refused',
      'a webhook-id that was used before is refused',
    ],
  ],
  ['makes two of one', (parts) => new Doubling(parts), ['a panel that is asked for twice is made once']],
  [
    'lets in by used links',
    (parts) => new Forgetful(parts),
    ['a sign-in link works once', 'a sign-in link ends in time'],
  ],
  [
    'lists in another order each time',
    (parts) => new Shuffling(parts),
    ['pages of resources hold each thing once, in the same order each time'],
  ],
  ['refuses to suspend twice', (parts) => new Touchy(parts), ['suspending and unsuspending can be repeated']],
  [
    'does not know what it does not have',
    (parts) => new Vague(parts),
    [
      'an unknown panel is 404, whatever is asked of it',
      'a deleted panel is gone, and deleting it again is no fault',
    ],
  ],
  [
    'does not end what a person has open',
    (parts) => new Lenient(parts),
    ['a person whose access was ended is not let in by a link from before'],
  ],
])(
  'an engine that %s fails those checks and no others',
  async (_what, make, expected) => {
    expect(await failures(make)).toEqual(expected)
  },
  60_000,
)

test('an engine that is not there fails, and so do other addresses', async () => {
  expect(await failures((parts) => Object.assign(new ReferenceEngine(parts), { routes: [] }))).toEqual([
    'it says how it does and what it can do',
  ])
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

const root = path.join(import.meta.dirname, '../..')

test('the example, in a process of its own, passes by the command that authors use, events included', async () => {
  const port = await freePort()
  const env = { ...process.env, PORT: '0', ENGINE_SECRETS: secret, PORTAL_URL: `http://127.0.0.1:${port}` }
  const example = spawn(process.execPath, ['engines/example/main.ts'], { cwd: root, env })
  closing.push(() => example.kill())
  const [chunk] = await once(example.stdout, 'data')
  const url = /http:\S+/.exec(String(chunk))?.[0] ?? ''
  const command = (...more: string[]) =>
    spawnSync(process.execPath, ['engines/check/main.ts', url, ...more], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, ENGINE_SECRET: secret },
    })
  const passed = command('--events', String(port))
  expect(passed.stdout).toContain('22 passed, 0 failed, 0 skipped')
  expect(passed.status).toBe(0)
  example.kill()
  await once(example, 'exit')
  const failed = command()
  expect([failed.status, failed.stdout]).toEqual([1, expect.stringContaining('0 passed, 1 failed')])
}, 60_000)
