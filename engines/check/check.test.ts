import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Answer } from '../example/calls.ts'
import { ReferenceEngine } from '../example/engine.ts'
import type { Fault, Fields } from '../example/offers.ts'
import type { Panel } from '../example/panel.ts'
import { sign } from '../example/signature.ts'
import { FirstEngine } from '../first-example/engine.ts'
import { adoption } from './adoption.ts'
import { Client } from './client.ts'
import { checkEngine } from './run.ts'
import { closing, failures, type Parts, secret, serve } from './serve.ts'
import { sinceLater } from './since-1-1.ts'
import { repeatFault, usageFault } from './usage.ts'

type Call = Parameters<ReferenceEngine['rename']>[0]

class Credulous extends ReferenceEngine {
  override believe(): void {
    // It does not check signatures.
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

class Making extends ReferenceEngine {
  override check(body: Fields): Answer {
    const answer = super.check(body)
    if (Object(answer.body).ok && body.panel)
      this.create({ ...Object(body.panel), panel_id: this.panels.size })
    return answer
  }
}

class Agreeing extends ReferenceEngine {
  override check(): Answer {
    return { status: 200, body: { ok: true } }
  }
}

class Boasting extends ReferenceEngine {
  override health(): Answer {
    const { capabilities, ...rest } = Object(super.health().body)
    const [first, ...others] = capabilities.plan_details
    const plan_details = [{ ...first, regions: ['nowhere'] }, ...others]
    return { status: 200, body: { ...rest, capabilities: { ...capabilities, plan_details } } }
  }
}

class Repeating extends ReferenceEngine {
  override changePlan(call: Call): Answer {
    return this.change(this.panel(call), String(call.body.plan))
  }
}

class Terse extends ReferenceEngine {
  override change(panel: Panel, plan: string): Answer {
    const answer = super.change(panel, plan)
    if (answer.status !== 409) return answer
    return { status: 409, body: { error: { code: 'limit_exceeded', message: 'Too small.' } } }
  }
}

class Shrinking extends ReferenceEngine {
  override change(panel: Panel, plan: string): Answer {
    const answer = super.change(panel, plan)
    if (answer.status === 409) panel.plan = plan
    return answer
  }
}

class Obeying extends ReferenceEngine {
  override change(panel: Panel, plan: string): Answer {
    const answer = super.change(panel, plan)
    return answer.status === 422 ? { status: 200 } : answer
  }
}

class Stammering extends ReferenceEngine {
  override list(call: Call): Answer {
    const { items, next } = Object(super.list(call).body)
    return { status: 200, body: { items: [...items, ...items.slice(0, 1)], next } }
  }
}

class Snatching extends ReferenceEngine {
  override adopt(call: Call): Answer {
    const panel = this.panel(call)
    panel.panel_id = Number(call.body.panel_id)
    return this.read(call)
  }
}

class Deleting extends ReferenceEngine {
  override release(call: Call): Answer {
    const answer = super.release(call)
    for (const kind of Object.keys(this.panel(call).holds)) this.panel(call).holds[kind]?.splice(0)
    return answer
  }
}

class Nameless extends ReferenceEngine {
  override read(call: Call): Answer {
    const answer = super.read(call)
    return { ...answer, body: { ...Object(answer.body), domain: null } }
  }
}

class Sharing extends ReferenceEngine {
  override faultOf(asked: Fields): Fault | undefined {
    const fault = super.faultOf(asked)
    return fault?.code === 'domain_taken' ? undefined : fault
  }
}

class Undemanding extends ReferenceEngine {
  override faultOf(asked: Fields): Fault | undefined {
    const fault = super.faultOf(asked)
    return fault?.code === 'domain_needed' ? undefined : fault
  }
}

const small = 'a plan that is too small is refused as 409 that names each limit, and changes nothing'

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
  ['makes two of one', (parts) => new Doubling(parts), ['a panel that is requested twice is created once']],
  [
    'lets in by used links',
    (parts) => new Forgetful(parts),
    ['a sign-in link works once', 'a sign-in link expires in time'],
  ],
  [
    'lists in another order each time',
    (parts) => new Shuffling(parts),
    ['pages of resources list each thing once, in a stable order'],
  ],
  ['refuses to suspend twice', (parts) => new Touchy(parts), ['suspending and unsuspending can be repeated']],
  [
    'does not know what it does not have',
    (parts) => new Vague(parts),
    [
      'an unknown panel is a 404 for every call',
      'a deleted panel is gone, and deleting it again is no fault',
    ],
  ],
  [
    'does not end what a person has open',
    (parts) => new Lenient(parts),
    ['a link from before a person lost access does not sign in'],
  ],
  ['makes what it is only asked about', (parts) => new Making(parts), ['a check creates nothing']],
  [
    'accepts every check',
    (parts) => new Agreeing(parts),
    ['a check refuses an unknown plan and names the field'],
  ],
  [
    'describes a plan in a place that is not there',
    (parts) => new Boasting(parts),
    ['plans and regions are described once, and name only what is offered'],
  ],
  [
    'changes a plan again when the call is repeated',
    (parts) => new Repeating(parts),
    ['a plan is changed once for each change_id'],
  ],
  ['does not say which limit is exceeded', (parts) => new Terse(parts), [small]],
  ['refuses a plan that is too small, and gives it', (parts) => new Shrinking(parts), [small]],
  [
    'says yes to plans that are not there',
    (parts) => new Obeying(parts),
    ['an unknown plan is refused as 422, and changes nothing'],
  ],
  [
    'lists a panel twice',
    (parts) => new Stammering(parts),
    ['the list has each panel once, finds one by its panel_id, and forgets what is deleted'],
  ],
  [
    'lets a panel be adopted by two',
    (parts) => new Snatching(parts),
    ['a panel is released and adopted once, and continues unchanged'],
  ],
  [
    'empties what is released',
    (parts) => new Deleting(parts),
    ['a panel is released and adopted once, and continues unchanged'],
  ],
  [
    'forgets the domain of a panel',
    (parts) => new Nameless(parts),
    ['a panel keeps the domain that it was created with'],
  ],
  [
    'gives a domain to two panels',
    (parts) => new Sharing(parts),
    ['another panel’s domain is refused as 422 that names the field'],
  ],
  [
    'makes a panel without the domain that its plan needs',
    (parts) => new Undemanding(parts),
    ['a missing domain is refused as 422 that names the field'],
  ],
])(
  'an engine that %s fails those checks and no others',
  async (_what, make, expected) => {
    expect(await failures(make)).toEqual(expected)
  },
  60_000,
)

/** Adopting a panel restarts its servers. */
class Restarting extends ReferenceEngine {
  override adopt(call: Call): Answer {
    const answer = super.adopt(call)
    const [server] = this.panel(call).holds.server ?? []
    if (server) Object.assign(server.spec ?? {}, { up_since: new Date().toISOString() })
    return answer
  }
}

test.each([
  ['takes over what was there before', ReferenceEngine, undefined],
  ['restarts what it takes over', Restarting, /^it held .+, and now holds /],
  ['lets it be adopted by two', Snatching, /^adopting what was adopted: expected 409/],
])('an engine that %s: an account of its own shows it', async (_what, Engine, fault) => {
  let engine: ReferenceEngine | undefined
  const url = await serve((parts) => {
    engine = new Engine(parts)
    return engine
  })
  const { id } = Object(engine?.create({ panel_id: 5, name: 'Old', owner: {} }).body)
  Object.assign(engine?.panels.get(id) ?? {}, { panel_id: null })
  const client = new Client(url, secret)
  const checked = adoption(id).run(client, await client.health())
  if (fault) await expect(checked).rejects.toThrow(fault)
  else await checked
  expect(engine?.panels.get(id)?.panel_id).toBeNull()
})

/** An engine of 1.0 that has words of its own, which 1.1 came to give another meaning. */
class Wordy extends FirstEngine {
  override health(): Answer {
    const { capabilities, ...rest } = Object(super.health().body)
    const more = { domain: true, regions: 'everywhere', list: 7, change_plan: 'yes' }
    return { status: 200, body: { ...rest, contract: '1.0', capabilities: { ...capabilities, ...more } } }
  }

  override panel(call: Call) {
    return Object.assign(super.panel(call), { domain: 5 })
  }
}

test.each([
  ['the example of then', (parts: Parts) => new FirstEngine(parts)],
  ['one with words of its own', (parts: Parts) => new Wordy(parts)],
])(
  'an engine of contract 1.0 (%s) keeps what was promised then, and is asked for no more',
  async (_what, make) => {
    const outcomes = await checkEngine({ url: await serve(make), secret })
    const names = (state: string) => outcomes.filter((one) => one.state === state).map(({ name }) => name)
    expect(names('failed')).toEqual([])
    expect(names('skipped')).toEqual(sinceLater.map(({ name }) => name))
  },
  60_000,
)

/** What WHM can do: a domain for each account, lists that are slow, and neither servers nor their power. */
class Shared extends ReferenceEngine {
  override health(): Answer {
    const { capabilities, ...rest } = Object(super.health().body)
    const { series: _, audit: __, check: ___, regions: ____, ...left } = capabilities
    const plan_details = capabilities.plan_details.map((plan: Fields) => ({
      ...plan,
      domain: 'required',
      regions: [],
    }))
    const own = {
      events: false,
      usage: 'none',
      kinds: ['domain'],
      power: [],
      domain: 'required',
      read_seconds: 600,
    }
    return { status: 200, body: { ...rest, capabilities: { ...left, ...own, plan_details } } }
  }

  override create(body: Record<string, unknown>): Answer {
    if (typeof body.domain === 'string' || typeof body.panel_id !== 'number') return super.create(body)
    const error = { code: 'domain_needed', field: 'domain', message: 'An account has a domain.' }
    return { status: 422, body: { error } }
  }

  override resources(call: Call): Answer {
    const answer = super.resources(call)
    return call.query.get('kind') === 'domain' ? answer : { ...answer, body: { items: [], next: null } }
  }
}

test('an engine of the shape of WHM is green, and is asked for no power, series or audit', async () => {
  const outcomes = await checkEngine({ url: await serve((parts) => new Shared(parts)), secret })
  expect(outcomes.filter(({ state }) => state === 'failed')).toEqual([])
  expect(outcomes.filter(({ state }) => state === 'skipped').map(({ detail }) => detail)).toEqual(
    expect.arrayContaining(['power', 'series', 'audit'].map((word) => `the engine does not offer ${word}`)),
  )
}, 60_000)

test('an engine that is not there fails, and so do other addresses', async () => {
  expect(await failures((parts) => Object.assign(new ReferenceEngine(parts), { routes: [] }))).toEqual([
    'it reports its health and capabilities',
  ])
  // Nobody listens there: the author reads why.
  const [outcome] = await checkEngine({ url: 'http://127.0.0.1:9', secret })
  expect(outcome).toMatchObject({ state: 'failed', detail: expect.stringMatching(/^fetch failed: ./) })
})

const used = {
  specversion: '1.0',
  id: 'p-1:panel_hours:2026-03-10T10',
  source: 'urn:engine:example',
  type: 'usage.v1',
  subject: 'panel/7',
  data: {
    resource: 'panel',
    meter: 'panel_hours',
    start: '2026-03-10T10:00:00Z',
    end: '2026-03-10T11:00:00Z',
    quantity: '1.000000',
  },
}
const batch = { 'content-type': 'application/cloudevents-batch+json', 'webhook-engine': 'example' }

function message(events: unknown, headers = {}) {
  const body = JSON.stringify(events)
  return { path: '/engine/v1/usage', body, headers: { ...batch, ...sign(secret, body), ...headers } }
}

const lasting = (start: string, end: string) => ({ ...used, data: { ...used.data, start, end } })

test.each([
  ['nothing when it is right', message([used]), undefined],
  ['a message that is not signed', message([used], { 'webhook-signature': 'v1,x' }), 'not signed'],
  ['a message of nobody', message([used], { 'webhook-engine': undefined }), 'whose it is'],
  ['another type', message([used], { 'content-type': 'application/json' }), 'comes as application/json'],
  ['no list', message({ events: [used] }), 'not a list'],
  [
    'a quantity that is a number',
    message([{ ...used, data: { ...used.data, quantity: 1 } }]),
    'data.quantity',
  ],
  [
    'a day that is not over at midnight',
    message([lasting('2026-03-10T23:00:00Z', '2026-03-11T01:00:00Z')]),
    'midnight',
  ],
  ['no time at all', message([lasting('2026-03-10T23:00:00Z', '2026-03-10T23:00:00Z')]), 'does not end'],
])('of what an engine says was used, the check finds fault with %s', (_what, sent, fault) => {
  if (fault === undefined) expect(usageFault(sent, secret)).toBeUndefined()
  else expect(usageFault(sent, secret)).toContain(fault)
})

test('usage that was not accepted is sent again unchanged, or it would count twice', () => {
  const first = message([used])
  const id = { 'webhook-id': first.headers['webhook-id'] }
  expect(repeatFault(first, message([used], id))).toBeUndefined()
  expect(repeatFault(first, message([used]))).toContain('another webhook-id')
  expect(repeatFault(first, message([{ ...used, id: 'another' }], id))).toContain('other events')
})

test("the example splits usage at midnight, reports it once, and includes a deleted panel's last usage", () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 2, 10, 12) })
  onTestFinished(() => void vi.useRealTimers())
  const engine = new ReferenceEngine({ secrets: [secret], url: () => '', report: () => undefined })
  const [kept, gone] = [7, 8].map((panel_id) => Object(engine.create({ panel_id, name: 'x' }).body))
  vi.setSystemTime(Date.now() + 60_000)
  engine.remove({ parts: [gone.id], query: new URLSearchParams(), body: {} })
  const tomorrow = (Math.floor(Date.now() / 86_400_000) + 1) * 86_400_000
  const events = engine.used(tomorrow + 3_600_000)
  expect(usageFault(message(events), secret)).toBeUndefined()
  expect(events.map(({ subject }) => subject)).toEqual(['panel/8', 'panel/7', 'panel/7'])
  expect(events[2]).toMatchObject({
    id: `${kept.id}:panel_hours:${new Date(tomorrow).toISOString()}`,
    data: { quantity: '1.000000' },
  })
  expect(engine.used(tomorrow + 3_600_000)).toEqual([])
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
  const env = {
    ...process.env,
    PORT: '0',
    ENGINE_SECRETS: secret,
    PORTAL_URL: `http://127.0.0.1:${port}`,
    USAGE_SECONDS: '0.2',
  }
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
  expect(passed.stdout).toContain('42 passed, 0 failed, 0 skipped')
  expect(passed.status).toBe(0)
  example.kill()
  await once(example, 'exit')
  const failed = command()
  expect([failed.status, failed.stdout]).toEqual([1, expect.stringContaining('0 passed, 1 failed')])
}, 60_000)
