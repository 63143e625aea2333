import { zoneFault } from '../dns/rules.ts'
import { addZone, removeZones } from '../dns/zones.ts'
import type { Host } from '../host.ts'
import { isMissing } from '../lxd/client.ts'
import { profilePath, projectPath } from '../lxd/types.ts'
import { type Fault, Refusal, refusal } from '../refusal.ts'
import { deleteServer, isReady, makeServer, serversIn } from '../servers/making.ts'
import { endCertificates } from './certificates.ts'
import { bridgeOf, ensureNetwork, freeSubnet, removeNetwork } from './network.ts'
import { tellPanel } from './news.ts'
import { noSuchPlan, planNamed, projectLimits, sizes } from './offers.ts'
import { allPanels, configOf, findPanel, type Panel, panelsOfHost, readPanel, setWords } from './truth.ts'

export type Asked = Readonly<Record<string, unknown>>

const isLate = () => refusal(503, 'unavailable', 'This host is busy.')

export const panelLock = (id: string) => `panel ${id}`
const textOr = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)

/** Why a panel is not made; undefined when it can be. */
export async function panelFault(
  host: Host,
  { name, plan: code = null, region = null, domain = null }: Asked,
) {
  const fault = (code: string, field: string, message: string): Fault => ({ code, field, message })
  if (typeof name !== 'string' || name === '') return fault('name_invalid', 'name', 'A name is needed.')
  if (code !== null && !host.plans.some((one) => one.code === code)) return noSuchPlan(code)
  if (region !== null && region !== host.settings.region)
    return fault('no_such_region', 'region', 'There is no such region.')
  const rule = planNamed(host.plans, textOr(code)).domain
  if (domain === null)
    return rule === 'required' ? fault('domain_needed', 'domain', 'This plan needs a domain.') : undefined
  return zoneFault(domain, null, await host.dns.zones())
}

/** Restrictions of LXD for the servers of a panel, which no request can lift. */
const restrictions = (bridge: string) => ({
  'features.images': 'false',
  'features.profiles': 'true',
  'features.storage.volumes': 'true',
  'features.networks': 'false',
  restricted: 'true',
  'restricted.containers.privilege': 'isolated',
  'restricted.containers.nesting': 'block',
  'restricted.devices.nic': 'managed',
  'restricted.networks.access': bridge,
  'restricted.devices.disk': 'managed',
  'restricted.backups': 'block',
  'restricted.snapshots': 'block',
})

/** The name of a new project: a panel that was released may still have the usual one. */
function freeId(prefix: string, panelId: number, taken: readonly Panel[]): string {
  const usual = `${prefix}${panelId}`
  for (let more = 1; ; more++) {
    const id = more === 1 ? usual : `${usual}-${more}`
    if (!taken.some((panel) => panel.id === id)) return id
  }
}

/** Claims the project of a panel, with its bridge and network: from here on a crash loses nothing. Throws 503 `unavailable`. */
function claim(host: Host, panelId: number, asked: Asked, patience: AbortSignal): Promise<string> {
  const { settings, plans, lxd, locks } = host
  return locks.aloneOnHost('claims', async () => {
    // The portal gave it up, and may have deleted the panel since.
    if (patience.aborted) throw isLate()
    const all = await panelsOfHost(host)
    const id = freeId(settings.prefix, panelId, all)
    const bridges = all.map(({ bridge }) => bridge)
    const usual = bridgeOf(settings.bridges, panelId)
    const bridge = bridges.includes(usual) ? `${usual}x` : usual
    const subnet = freeSubnet(
      all.map((panel) => panel.subnet),
      settings.firstNetwork,
    )
    const { subject, display_name: owner, email } = Object(asked.owner)
    const words = {
      engine: settings.code,
      panel_id: String(panelId),
      name: String(asked.name),
      plan: textOr(asked.plan) ?? '',
      domain: textOr(asked.domain) ?? '',
      owner: textOr(subject) ?? '',
      owner_name: textOr(owner) ?? '',
      owner_email: textOr(email) ?? '',
      bridge,
      subnet,
      created_at: new Date().toISOString(),
      state: 'provisioning',
    }
    const limits = projectLimits(planNamed(plans, textOr(asked.plan)))
    await lxd.make('/1.0/projects', {
      name: id,
      config: { ...restrictions(bridge), ...limits, ...configOf(words) },
    })
    return id
  })
}

/** Makes what a panel begins with. Each step is "make, or it is there", and the state comes last. */
export async function buildPanel(host: Host, id: string): Promise<Panel> {
  const panel = await readPanel(host, id)
  if (panel.state !== 'provisioning') return panel
  for (const server of await serversIn(host, id)) if (!isReady(server)) await deleteServer(host, id, server)
  await ensureNetwork(host, panel)
  if (panel.domain !== null) await addZone(host, panel, panel.domain)
  const { first } = planNamed(host.plans, panel.plan)
  for (const { name, cluster } of first) {
    // A deletion may have come meanwhile, or a suspension by another process.
    if ((await readPanel(host, id)).state !== 'provisioning') break
    await makeServer(host, panel, { name, cluster, size: sizes.s })
  }
  const made = await setWords(host, id, ({ state }) => (state === 'provisioning' ? { state: 'active' } : {}))
  tellPanel(host, made)
  return made
}

/**
 * Idempotent by panel_id. The panel may still be `provisioning` when the building takes longer than the portal waits. Throws like
 * `panelFault`, and 503 `unavailable` when it could not even be claimed in time.
 */
export async function createPanel(host: Host, asked: Asked): Promise<{ panel: Panel; isNew: boolean }> {
  const patience = AbortSignal.timeout(host.settings.patienceMs)
  const { panel_id: panelId, name } = asked
  if (
    typeof panelId !== 'number' ||
    !Number.isSafeInteger(panelId) ||
    panelId < 1 ||
    typeof name !== 'string'
  )
    throw refusal(422, 'invalid', 'panel_id and name are needed.')
  const claimed = host.locks.alone(`panel_id ${panelId}`, async () => {
    const known = (await allPanels(host)).find((panel) => panel.panelId === panelId)
    if (known) return { id: known.id, isNew: false }
    const fault = await panelFault(host, asked)
    if (fault) throw new Refusal(422, fault)
    return { id: await claim(host, panelId, asked, patience), isNew: true }
  })
  const found = await within(patience, claimed)
  if (found === undefined) throw isLate()
  const { id, isNew } = found
  const panel = await readPanel(host, id)
  if (panel.state !== 'provisioning') return { panel, isNew }
  const built = host.locks.alone(panelLock(id), () => buildPanel(host, id))
  return { panel: (await within(patience, built)) ?? panel, isNew }
}

/** The result of an action, or undefined when it is not there in time; the repair of each minute completes it then. */
export function within<T>(patience: AbortSignal, act: Promise<T>): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const giveUp = () => {
    act.catch((error: unknown) => console.error(`later: ${error}`))
    resolve(undefined)
  }
  if (patience.aborted) giveUp()
  else patience.addEventListener('abort', giveUp, { once: true })
  return Promise.race([act, late]).finally(() => patience.removeEventListener('abort', giveUp))
}

/** Removes the volumes and profiles that tools of the panel's people made: LXD deletes no project that has some. */
async function removeRest({ lxd }: Host, id: string): Promise<void> {
  const inProject = `project=${encodeURIComponent(id)}`
  const named = async (path: string) => {
    const found = await lxd.get<{ name: string }[]>(`${path}?${inProject}&recursion=1`)
    // A snapshot is listed as `volume/snapshot`, and goes with its volume.
    const whole = found.filter(({ name }) => !name.includes('/'))
    return whole.map(({ name }) => ({ name, at: `${path}/${encodeURIComponent(name)}?${inProject}` }))
  }
  const pools = await lxd.get<string[]>('/1.0/storage-pools')
  const made = await Promise.all([
    ...pools.map((pool) => named(`${pool}/volumes/custom`)),
    named('/1.0/profiles').then((profiles) => profiles.filter(({ name }) => name !== 'default')),
  ])
  for (const { at } of made.flat()) await lxd.remove(at)
}

async function tearDown(host: Host, panel: Panel): Promise<void> {
  const { lxd } = host
  await endCertificates(host, panel.id)
  await Promise.all((await serversIn(host, panel.id)).map((server) => deleteServer(host, panel.id, server)))
  await removeZones(host, panel.id)
  // Of an adopted project the volumes and profiles may be those of the whole host.
  if (panel.bridge !== '') {
    await removeRest(host, panel.id)
    await lxd.send('PUT', profilePath(panel.id), { config: {}, devices: {} }).catch((error: unknown) => {
      if (!isMissing(error)) throw error
    })
    await removeNetwork(host, panel)
  }
  await lxd.remove(projectPath(panel.id))
}

/** Deletes a panel whose state says so; one that is gone is no fault. */
export async function finishDeletion(host: Host, id: string): Promise<void> {
  const panel = await findPanel(host, id)
  if (!panel) return
  await tearDown(host, panel)
  host.store.forgetPanel(id)
  host.tell({ type: 'panel.status', panel: id, occurred_at: new Date().toISOString(), status: 'deleted' })
}

/** Whether it is gone already; else it will be, and the portal reads it until it is. */
export async function deletePanel(host: Host, id: string): Promise<boolean> {
  const patience = AbortSignal.timeout(host.settings.patienceMs)
  await readPanel(host, id)
  // Before anything that may have to wait: an end of the engine would forget the call.
  await setWords(host, id, { deletion: '1' })
  const gone = host.locks.alone(panelLock(id), async () => {
    if (!(await findPanel(host, id))) return true
    await host.sample(id)
    await finishDeletion(host, id)
    return true
  })
  return (await within(patience, gone)) ?? false
}
