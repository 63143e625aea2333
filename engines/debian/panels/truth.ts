import type { Host } from '../host.ts'
import { isMissing } from '../lxd/client.ts'
import { type Config, type Project, projectPath } from '../lxd/types.ts'
import { noPanel } from '../refusal.ts'
import type { Settings } from '../settings.ts'

// The engine keeps its facts about a panel in the configuration of its project, so that a crash loses nothing
// and two stores never differ.

const key = 'user.portico.'

export type State = 'provisioning' | 'active' | 'suspended' | 'deleting'

export type Panel = {
  readonly id: string
  /** The code of the engine whose panel it is: several may share one LXD. Null while it is nobody's, or was made before this was noted. */
  readonly engine: string | null
  /** Null while it is nobody's. */
  readonly panelId: number | null
  readonly name: string
  readonly plan: string | null
  readonly state: State
  readonly region: string
  readonly domain: string | null
  readonly owner: { readonly subject: string; readonly name: string | null; readonly email: string | null }
  /** Empty for a project that the engine did not make. */
  readonly bridge: string
  readonly subnet: string
  readonly createdAt: string | null
  /** False for one that was suspended before it was made whole. */
  readonly isBuilt: boolean
}

const states: readonly string[] = ['provisioning', 'active', 'suspended', 'deleting'] satisfies State[]
const isState = (text: string): text is State => states.includes(text)

function panelOf({ name, description, config }: Project, region: string): Panel {
  const of = (word: string) => config[key + word] || null
  // A word of its own, which no other change of the state undoes.
  const state = of('deletion') === null ? (of('state') ?? 'active') : 'deleting'
  const panelId = Number(of('panel_id') ?? Number.NaN)
  return {
    id: name,
    engine: of('engine'),
    panelId: Number.isSafeInteger(panelId) ? panelId : null,
    name: of('name') ?? (description || name).slice(0, 60),
    plan: of('plan'),
    state: isState(state) ? state : 'active',
    region,
    domain: of('domain'),
    owner: { subject: of('owner') ?? '', name: of('owner_name'), email: of('owner_email') },
    bridge: of('bridge') ?? '',
    subnet: of('subnet') ?? '',
    createdAt: of('created_at'),
    isBuilt: of('unbuilt') === null,
  }
}

export type Words = Readonly<Record<string, string>>

/** Words of ours as the configuration has them. */
export const configOf = (words: Words): Config =>
  Object.fromEntries(Object.entries(words).map(([word, value]) => [key + word, value]))

/** Whether a panel is not another engine's: that is as if it were not there. One without a mark is everybody's until it is marked. */
const isHere =
  ({ code }: Settings) =>
  ({ engine }: Panel) =>
    engine === null || engine === code

/** Whether a panel has a name that this engine gives. */
export const isNamedHere = ({ prefix }: Settings, { id }: Panel): boolean =>
  id.startsWith(prefix) && /^\d+(?:-\d+)?$/.test(id.slice(prefix.length))

export async function findPanel({ lxd, settings }: Host, id: string): Promise<Panel | undefined> {
  if (id === 'default') return undefined
  const project = await lxd.find<Project>(projectPath(id))
  const panel = project && panelOf(project, settings.region)
  return panel && isHere(settings)(panel) ? panel : undefined
}

/** Throws `not_found`. */
export async function readPanel(host: Host, id: string): Promise<Panel> {
  const panel = await findPanel(host, id)
  if (!panel) throw noPanel()
  return panel
}

/** The panels of all engines on this host in the order of their ids: their names and networks are taken. */
export async function panelsOfHost({ lxd, settings }: Host): Promise<Panel[]> {
  const projects = await lxd.get<Project[]>('/1.0/projects?recursion=1')
  return projects
    .filter(({ name }) => name !== 'default')
    .map((project) => panelOf(project, settings.region))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/** All panels in the order of their ids; projects of nobody are among them. */
export const allPanels = async (host: Host): Promise<Panel[]> =>
  (await panelsOfHost(host)).filter(isHere(host.settings))

/** Only the panels that have an owner, or had one: what the engine mends and counts. */
export const isOurs = ({ panelId, bridge }: Panel) => panelId !== null || bridge !== ''

/**
 * Changes what is known of a panel, by what is known of it at that moment; an empty text forgets a word. Another process of an
 * engine may change the same project. Throws `not_found`.
 */
export function setWords(
  host: Host,
  id: string,
  words: Words | ((now: Panel) => Words),
  more: Config = {},
): Promise<Panel> {
  const { lxd, settings } = host
  // LXD looks at the version and writes a moment later: of two changes at once it takes both, and one is lost.
  return host.locks.aloneOnHost('words', async () => {
    try {
      const project = await lxd.change<Project>(projectPath(id), (now) => {
        const panel = panelOf(now, settings.region)
        if (!isHere(settings)(panel)) throw noPanel()
        const changed = configOf(typeof words === 'function' ? words(panel) : words)
        // The whole configuration is sent: LXD takes what a change leaves out for what is to be removed.
        return { config: { ...now.config, ...changed, ...more } }
      })
      return panelOf(project, settings.region)
    } catch (error) {
      throw isMissing(error) ? noPanel() : error
    }
  })
}
