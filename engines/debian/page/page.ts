import { ask, button, el, type Fields, form, remover } from './dom.ts'
import { isWord, language, switchLanguage, t } from './words.ts'
import { zonesSection } from './zones.ts'

type Server = {
  readonly name: string
  readonly status: string
  readonly spec: {
    readonly ipv4: string | null
    readonly vcpus: number
    readonly memory_gb: number
    readonly disk_gb: number
    readonly cpu_percent: number
    readonly power: readonly string[]
  }
}
type Cluster = {
  readonly name: string
  readonly status: string
  readonly spec: { nodes: number; nodes_ready: number }
}
type Size = {
  readonly code: string
  readonly vcpus: number
  readonly memoryMb: number
  readonly diskMb: number
}
type Servers = {
  readonly servers: readonly Server[]
  readonly clusters: readonly Cluster[]
  readonly sizes: readonly Size[]
  readonly most: number | null
  readonly mostClusters: number | null
  readonly mostNodes: number
}
type Act = {
  readonly at: number
  readonly kind: string
  readonly action: string
  readonly target: string | null
}
type Panel = { readonly name: string; readonly scopes: readonly string[]; readonly person: string | null }
type Series = { readonly cpu_percent: readonly (number | null)[] }

const againMs = 10_000
const number = new Intl.NumberFormat(language, { maximumFractionDigits: 2 })
const moment = new Intl.DateTimeFormat(language, { dateStyle: 'short', timeStyle: 'short' })
const wordOr = (text: string) => (isWord(text) ? t(text) : text)

/** The load of the last day as a line; what was not measured is left out. */
function chart({ cpu_percent: values }: Series): Node {
  const measured = values.flatMap((value, at) => (value === null ? [] : [`${at},${100 - value}`]))
  if (measured.length < 2) return el('p', { class: 'soft' }, t('noDay'))
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'polyline')
  svg.setAttribute('viewBox', '0 0 287 100')
  svg.setAttribute('preserveAspectRatio', 'none')
  svg.setAttribute('role', 'img')
  svg.setAttribute('aria-label', t('day'))
  line.setAttribute('points', measured.join(' '))
  svg.append(line)
  return svg
}

const sizeText = (vcpus: number, memoryGb: number, diskGb: number) =>
  `${vcpus} vCPU · ${number.format(memoryGb)} GB · ${number.format(diskGb)} GB`

const sure = (verb: string) => verb === 'start' || confirm(t(verb === 'stop' ? 'sure' : 'sureRestart'))

function serverRow({ name, status, spec }: Server, again: () => Promise<void>): HTMLElement {
  const day = el('div', { class: 'wide' })
  const power = spec.power.map((action) =>
    button(wordOr(action), async () => {
      if (!sure(action)) return
      await ask('/servers/power', { server: name, action })
      await again()
    }),
  )
  const showDay = async () => {
    const shown = day.hasChildNodes() ? [] : [chart(await ask<Series>('/servers/series', { server: name }))]
    day.replaceChildren(...shown)
  }
  const terminal = el(
    'a',
    { href: `/terminal?server=${encodeURIComponent(name)}`, target: '_blank', rel: 'noopener' },
    t('terminal'),
  )
  const size = sizeText(spec.vcpus, spec.memory_gb, spec.disk_gb)
  const use = `CPU ${number.format(spec.cpu_percent)} % · ${spec.ipv4 ?? '–'}`
  return el(
    'li',
    {},
    el('span', { class: 'grow' }, el('b', {}, name), ' ', el('span', { class: status }, wordOr(status))),
    el('span', { class: 'soft' }, `${size} · ${use}`),
    status === 'running' ? terminal : '',
    ...power,
    button(t('day'), showDay),
    remover(name, async () => {
      await ask('/servers/remove', { server: name })
      await again()
    }),
    day,
  )
}

const clusterRow = ({ name, status, spec }: Cluster, again: () => Promise<void>) =>
  el(
    'li',
    {},
    el('span', { class: 'grow' }, el('b', {}, name), ' ', el('span', { class: status }, wordOr(status))),
    el('span', { class: 'soft' }, `${spec.nodes_ready} / ${spec.nodes} ${t('nodes')}`),
    remover(name, async () => {
      await ask('/clusters/remove', { cluster: name })
      await again()
    }),
  )

const sizeOption = ({ code, vcpus, memoryMb, diskMb }: Size) =>
  el('option', { value: code }, sizeText(vcpus, memoryMb / 1024, diskMb / 1024))

async function serversSection(): Promise<HTMLElement> {
  const list = el('div')
  const section = el('section', { 'aria-label': t('servers') }, el('h2', {}, t('servers')), list)
  let last = ''
  const show = async () => {
    const { servers, clusters } = await ask<Servers>('/servers')
    const now = JSON.stringify([servers, clusters])
    // What did not change is not drawn again, or the focus of a keyboard would be lost.
    if (now === last) return
    last = now
    list.replaceChildren(
      servers.length === 0
        ? el('p', { class: 'soft' }, t('none'))
        : el('ul', {}, ...servers.map((one) => serverRow(one, show))),
      ...(clusters.length > 0
        ? [el('h2', {}, t('clusters')), el('ul', {}, ...clusters.map((one) => clusterRow(one, show)))]
        : []),
    )
  }
  await show()
  const { sizes, mostClusters, mostNodes } = await ask<Servers>('/servers')
  const nameField = () =>
    el('input', { 'aria-label': t('name'), required: true, pattern: '[a-z][a-z0-9\\-]*[a-z0-9]' })
  const sizeField = () => el('select', { 'aria-label': t('size') }, ...sizes.map(sizeOption))
  const adding = (path: string) => async (values: Fields) => {
    await ask(path, values)
    await show()
  }
  section.append(form({ server: nameField(), size: sizeField() }, t('add'), adding('/servers/add')))
  if (mostClusters !== 0) {
    const counts = Array.from({ length: mostNodes }, (_, i) => el('option', {}, String(i + 1)))
    const nodes = el('select', { 'aria-label': t('nodeCount') }, ...counts)
    const fields = { cluster: nameField(), nodes, size: sizeField() }
    section.append(form(fields, t('addCluster'), adding('/clusters/add')))
  }
  setInterval(() => {
    if (!document.hidden) show().catch(() => undefined)
  }, againMs)
  return section
}

async function activitySection(): Promise<HTMLElement> {
  const { acts } = await ask<{ acts: readonly Act[] }>('/activity')
  const rows = acts.map(({ at, kind, action, target }) =>
    el(
      'li',
      {},
      el('span', { class: 'grow' }, `${wordOr(action.replaceAll(' ', '_'))} ${target ?? ''}`),
      el('span', { class: 'soft' }, `${wordOr(kind)} · ${moment.format(at)}`),
    ),
  )
  return el('section', { 'aria-label': t('activity') }, el('h2', {}, t('activity')), el('ul', {}, ...rows))
}

async function show(main: HTMLElement): Promise<void> {
  document.documentElement.lang = language
  const { name, scopes } = await ask<Panel>('/panel')
  document.title = name
  const leave = async () => {
    await ask('/leave')
    location.reload()
  }
  const header = el(
    'header',
    {},
    el('h1', {}, name),
    button(t('language'), async () => switchLanguage()),
    button(t('leave'), leave),
  )
  const may = (scope: string) => scopes.includes(scope)
  main.replaceChildren(header)
  if (may('account_access')) main.append(await serversSection())
  if (may('domain_access')) main.append(await zonesSection())
  if (may('account_access')) main.append(await activitySection())
  main.removeAttribute('aria-busy')
}

const main = document.getElementById('main')
if (main)
  show(main).catch((error: unknown) => {
    main.removeAttribute('aria-busy')
    main.replaceChildren(el('p', { role: 'alert' }, error instanceof Error ? error.message : t('failed')))
  })
