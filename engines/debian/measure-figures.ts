import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import WebSocket from 'ws'
import { ask, settings } from './chaos/portal.ts'

// `npm run measure:debian -- --main PID --lxd PID`: how long panels, power and suspension take, what the page weighs, how fast a
// terminal answers, and what readings cost with so many servers. The engine, its page and the daemons run already, with
// nothing else on the machine.

const { values } = parseArgs({
  options: {
    main: { type: 'string' },
    lxd: { type: 'string' },
    times: { type: 'string', default: '10' },
    panels: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '300' },
  },
})
const first = 730_000_000
const owner = { subject: 'client-1', display_name: 'A' }
const idOf = (panel: number) => `${settings.prefix}${panel}`
const at = (panel: number, path = '') => `/v1/panels/${idOf(panel)}${path}`

async function done(method: string, path: string, body?: object): Promise<void> {
  const answer = await ask(method, path, body)
  if (!answer || answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
}

/** Makes a panel whose servers run when this ends. */
async function make(panel: number, plan = 'small'): Promise<void> {
  const body = { panel_id: panel, name: `Figures ${panel}`, plan, region: null, domain: null, owner }
  for (let tries = 0; tries < 100; tries++) {
    const answer = await ask('POST', '/v1/panels', body)
    if (answer?.body.status === 'active') return
    await sleep(200)
  }
  throw new Error(`Panel ${panel} is not made.`)
}

const power = (panel: number, action: string) =>
  done('POST', at(panel, '/servers/web-1/power'), {
    ...{ action, force: false, request_id: randomUUID() },
    actor: { subject: null, kind: 'system' },
  })

const times = new Map<string, number[]>()
async function timed(name: string, act: () => Promise<unknown>): Promise<void> {
  const begun = performance.now()
  await act()
  times.set(name, [...(times.get(name) ?? []), performance.now() - begun])
}

const rank = (all: readonly number[], part: number) =>
  all.toSorted((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * part))] ?? 0

async function acts(): Promise<void> {
  for (let turn = 1; turn <= Number(values.times); turn++) {
    const panel = first + turn
    await timed('panel with a server', () => make(panel))
    await timed('stop', () => power(panel, 'stop'))
    await timed('start', () => power(panel, 'start'))
    await timed('restart', () => power(panel, 'restart'))
    await timed('suspend', () => done('POST', at(panel, '/suspend'), { reason: 'unpaid' }))
    await timed('resume', () => done('POST', at(panel, '/unsuspend')))
    await timed('delete', () => done('DELETE', at(panel)))
  }
  for (const [name, all] of times)
    console.log(
      `${name}: p50 ${(rank(all, 0.5) / 1000).toFixed(2)} s, at most ${(rank(all, 1) / 1000).toFixed(2)} s`,
    )
}

async function weigh(): Promise<void> {
  let [plain, packed] = [0, 0]
  for (const file of [
    '/',
    '/page/page.css',
    '/page/page.ts',
    '/page/dom.ts',
    '/page/words.ts',
    '/page/zones.ts',
  ]) {
    const answer = await fetch(settings.console + file)
    if (!answer.ok) throw new Error(`${file}: ${answer.status}`)
    const body = Buffer.from(await answer.arrayBuffer())
    plain += body.length
    packed += gzipSync(body).length
  }
  console.log(
    `page without the terminal: ${(plain / 1024).toFixed(1)} KB, ${(packed / 1024).toFixed(1)} KB packed`,
  )
}

async function enter(panel: number): Promise<string> {
  const who = {
    subject: 'client-1',
    display_name: 'A',
    role: 'owner',
    scopes: ['account_access'],
    domains: null,
  }
  const answer = await ask('POST', at(panel, '/sso'), { ...who, client_ip: null, ttl_seconds: 60 })
  const opened = await fetch(String(answer?.body.url), { redirect: 'manual' })
  return opened.headers.get('set-cookie')?.split(';')[0] ?? ''
}

/** The time until a terminal has a prompt, and until it shows a letter. */
async function echo(panel: number): Promise<void> {
  const cookie = await enter(panel)
  const begun = performance.now()
  const socket = new WebSocket(`${settings.console.replace(/^http/, 'ws')}/terminal/web-1`, {
    headers: { cookie, origin: settings.console },
  })
  await once(socket, 'message')
  const prompt = performance.now() - begun
  await sleep(500)
  const all: number[] = []
  for (let letter = 0; letter < 200; letter++) {
    const sent = performance.now()
    socket.send(Buffer.from('a'))
    await once(socket, 'message')
    all.push(performance.now() - sent)
  }
  socket.close()
  console.log(
    `terminal: a prompt after ${prompt.toFixed(0)} ms, a letter after p50 ${rank(all, 0.5).toFixed(1)}, p95 ${rank(all, 0.95).toFixed(1)} ms`,
  )
}

/** The processor's seconds of a process, and the megabytes that it holds: all, and those that are its own. */
function costOf(id: string): { seconds: number; all: number; own: number } {
  const fields = readFileSync(`/proc/${id}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  const status = readFileSync(`/proc/${id}/status`, 'utf8')
  const held = (word: string) => Number(new RegExp(`${word}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
  // Linux counts in hundredths of a second.
  return {
    seconds: (Number(fields[11]) + Number(fields[12])) / 100,
    all: held('VmRSS'),
    own: held('RssAnon'),
  }
}

async function readings(): Promise<void> {
  const panels = Array.from({ length: Number(values.panels) }, (_, n) => first + 1000 + n)
  for (const panel of panels) {
    await make(panel)
    await addServer(panel)
  }
  await sleep(30_000)
  const processes = Object.entries({ main: values.main, lxd: values.lxd })
  const before = processes.map(([, id]) => (id === undefined ? undefined : costOf(id)))
  await sleep(Number(values.seconds) * 1000)
  processes.forEach(([name, id], i) => {
    const then = before[i]
    if (id === undefined || !then) return
    const now = costOf(id)
    const share = ((now.seconds - then.seconds) / Number(values.seconds)) * 100
    console.log(
      `${name} with ${panels.length * 2} servers, read every ${settings.sampleSeconds} s for ${values.seconds} s: ${share.toFixed(2)} % of a core, ${now.all.toFixed(0)} MB, of which ${now.own.toFixed(0)} are no files`,
    )
  })
  for (const panel of panels) await ask('DELETE', at(panel))
}

async function addServer(panel: number): Promise<void> {
  const headers = { cookie: await enter(panel), origin: settings.console }
  const body = JSON.stringify({ server: 'web-2', size: 's' })
  const answer = await fetch(`${settings.console}/api/servers/add`, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(`A second server: ${answer.status} ${await answer.text()}`)
}

const kept = first + 900
await weigh()
await acts()
await make(kept)
await echo(kept)
await ask('DELETE', at(kept))
await readings()
