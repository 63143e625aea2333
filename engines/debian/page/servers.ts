import { ask, button, el, form } from './dom.ts'
import { language, t, wordOr } from './words.ts'

// The servers and clusters of the panel.

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
  /** What the names of new servers begin with. */
  readonly begins: string
}
type Series = { readonly cpu_percent: readonly (number | null)[] }

const againMs = 10_000
const mostNodes = '5'
const number = new Intl.NumberFormat(language, { maximumFractionDigits: 2 })

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
    button(t('remove'), async () => {
      if (!confirm(`${name}: ${t('sureDelete')}`)) return
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
    button(t('remove'), async () => {
      if (!confirm(`${name}: ${t('sureDelete')}`)) return
      await ask('/clusters/remove', { cluster: name })
      await again()
    }),
  )

const sizeOption = ({ code, vcpus, memoryMb, diskMb }: Size) =>
  el('option', { value: code }, sizeText(vcpus, memoryMb / 1024, diskMb / 1024))

const namePattern = '[a-z][a-z0-9\\-]*[a-z0-9]'
const nameField = (value: string) =>
  el('input', { 'aria-label': t('name'), required: true, pattern: namePattern, value })

/** The forms for a new server and a new cluster, where the plan has clusters. */
function addForms({ sizes, begins, mostClusters }: Servers, again: () => Promise<void>): HTMLElement[] {
  const sizeField = () => el('select', { 'aria-label': t('size') }, ...sizes.map(sizeOption))
  const nodes = { type: 'number', min: '1', max: mostNodes, value: '2', required: true }
  const adding = (path: string) => async (values: Readonly<Record<string, unknown>>) => {
    await ask(path, values)
    await again()
  }
  const server = form({ server: nameField(begins), size: sizeField() }, t('add'), adding('/servers/add'))
  if (mostClusters === 0) return [server]
  const fields = {
    cluster: nameField(''),
    nodes: el('input', { 'aria-label': t('nodeCount'), ...nodes }),
    size: sizeField(),
  }
  return [server, form(fields, t('addCluster'), adding('/clusters/add'))]
}

/** The servers and clusters, as far as the link reaches. */
export async function serversSection(): Promise<HTMLElement> {
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
  section.append(...addForms(await ask<Servers>('/servers'), show))
  setInterval(() => {
    if (!document.hidden) show().catch(() => undefined)
  }, againMs)
  return section
}
