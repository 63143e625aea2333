import type { Fields } from '../http/calls.ts'
import { panelLock } from '../panels/making.ts'
import { mostNodes, planNamed } from '../panels/offers.ts'
import { countsOf } from '../panels/plans.ts'
import { readPanel } from '../panels/truth.ts'
import { isSuspended, refusal } from '../refusal.ts'
import { makeServer, removeServer, serversIn } from '../servers/making.ts'
import { clusterOf } from '../servers/resources.ts'
import { asLimit, isName, overLimit, sizeNamed } from './servers.ts'
import { note, type Visitor } from './visitor.ts'

// Clusters at the page: a cluster is its nodes, which are made and deleted together.

const longestName = 28

/** Adds a cluster within the plan. What is broken off is shown as a cluster with fewer nodes, and may be deleted. */
export async function addCluster(visitor: Visitor): Promise<Fields> {
  const { host, panel, asked } = visitor
  const { cluster, nodes: wanted } = asked
  const size = sizeNamed(asked.size)
  if (!isName(cluster) || cluster.length > longestName || !size)
    throw refusal(422, 'name_invalid', 'Small letters, digits and hyphens.')
  const count = Number(wanted)
  if (!Number.isInteger(count) || count < 1 || count > mostNodes)
    throw refusal(422, 'invalid', `A cluster has 1 to ${mostNodes} nodes.`)
  const names = Array.from({ length: count }, (_, node) => `${cluster}-${node + 1}`)
  await host.locks.alone(panelLock(panel.id), async () => {
    if ((await readPanel(host, panel.id)).state !== 'active') throw isSuspended()
    const most = planNamed(host.plans, panel.plan).limits.clusters
    if (most != null && (await countsOf(host, panel.id)).clusters >= most)
      throw overLimit('The plan allows no more clusters.')
    const servers = await serversIn(host, panel.id)
    if (servers.some((server) => clusterOf(server) === cluster || names.includes(server.name)))
      throw refusal(409, 'name_taken', 'There is such a cluster or server.')
    for (const name of names) await makeServer(host, panel, { name, size, cluster }).catch(asLimit)
  })
  note(visitor, 'added a cluster', cluster)
  return {}
}

/** Deletes a cluster with all that is in its nodes. */
export async function removeCluster(visitor: Visitor): Promise<Fields> {
  const { host, panel, asked } = visitor
  const { cluster } = asked
  await host.locks.alone(panelLock(panel.id), async () => {
    if ((await readPanel(host, panel.id)).state !== 'active') throw isSuspended()
    const nodes = (await serversIn(host, panel.id)).filter((server) => clusterOf(server) === cluster)
    if (nodes.length === 0 || typeof cluster !== 'string')
      throw refusal(404, 'not_found', 'There is no such cluster.')
    await host.sample(panel.id)
    for (const node of nodes) await removeServer(host, panel.id, node)
    if (panel.panelId === null) return
    const about = { panel: panel.id, occurred_at: new Date().toISOString() }
    host.tell({ type: 'resource.removed', ...about, kind: 'cluster', resource: cluster })
  })
  note(visitor, 'deleted a cluster', String(cluster))
  return {}
}
