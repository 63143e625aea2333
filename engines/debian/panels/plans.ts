import { zonesOf } from '../dns/zones.ts'
import type { Host } from '../host.ts'
import { type ProjectState, projectPath } from '../lxd/types.ts'
import { type Fault, isSuspended, Refusal } from '../refusal.ts'
import { serversIn } from '../servers/making.ts'
import { clusterOf, clustersAmong, type Fields } from '../servers/resources.ts'
import { panelLock } from './making.ts'
import { limitFault, noSuchPlan, projectLimits } from './offers.ts'
import { type Panel, readPanel, setWords } from './truth.ts'

const bytesOfGb = 1024 ** 3

/** How many things are in a panel. */
export async function countsOf(host: Host, id: string) {
  const [servers, zones] = await Promise.all([serversIn(host, id), zonesOf(host, id)])
  return {
    servers: servers.filter((server) => clusterOf(server) === null).length,
    clusters: clustersAmong(servers).size,
    domains: zones.length,
  }
}

/** Why a panel cannot have a plan; undefined when it fits. LXD tells what the servers have been given. */
export async function planFault(host: Host, id: string, code: unknown): Promise<Fault | undefined> {
  const plan = host.plans.find((one) => one.code === code)
  if (!plan) return noSuchPlan(code)
  const [counts, { resources }] = await Promise.all([
    countsOf(host, id),
    host.lxd.get<ProjectState>(`${projectPath(id)}/state`),
  ])
  return limitFault(plan, {
    ...counts,
    vcpus: resources.cpu?.Usage ?? 0,
    memory_gb: (resources.memory?.Usage ?? 0) / bytesOfGb,
    disk_gb: (resources.disk?.Usage ?? 0) / bytesOfGb,
  })
}

/** Idempotent by change: a repeated one is answered as it was at first. Refusals are not kept. */
export function changePlan(
  host: Host,
  id: string,
  { plan: code, change, shown }: { plan: string; change: string; shown: (panel: Panel) => Fields },
): Promise<Fields> {
  const key = `plan ${id} ${change}`
  return host.locks.alone(panelLock(id), async () => {
    const panel = await readPanel(host, id)
    const done = host.store.answerTo(key)
    if (done) return done
    if (panel.state === 'suspended') throw isSuspended()
    const fault = await planFault(host, id, code)
    if (fault) throw new Refusal(fault.exceeded ? 409 : 422, fault)
    const plan = host.plans.find((one) => one.code === code)
    if (!plan) throw new Refusal(422, noSuchPlan(code))
    return host.store.keepAnswer(key, shown(await setWords(host, id, { plan: code }, projectLimits(plan))))
  })
}
