import type { Fields } from '../http/calls.ts'
import { mostNodes, planNamed } from '../panels/offers.ts'
import { noServer, refusal } from '../refusal.ts'
import { deleteServer, serversIn } from '../servers/making.ts'
import { clusterOf, clustersAmong } from '../servers/resources.ts'
import { isName, makeWithin, sizeIn, whileActive } from './servers.ts'
import { note, type Visitor } from './visitor.ts'

/** Removes the nodes of a cluster; their use is counted to the end. */
async function removeNodes({ host, panel }: Visitor, cluster: string): Promise<number> {
  const nodes = (await serversIn(host, panel.id)).filter((server) => clusterOf(server) === cluster)
  await host.sample(panel.id)
  for (const node of nodes) await deleteServer(host, panel.id, node)
  return nodes.length
}

/** Adds a cluster of some nodes within the plan: all of them, or none. */
export async function add(visitor: Visitor): Promise<Fields> {
  const { host, panel, asked } = visitor
  const size = sizeIn(visitor)
  const [cluster, count] = [asked.cluster, Number(asked.nodes)]
  if (!isName(cluster)) throw refusal(422, 'name_invalid', 'Small letters, digits and hyphens.')
  if (!Number.isInteger(count) || count < 1 || count > mostNodes)
    throw refusal(422, 'nodes_invalid', `A cluster has 1 to ${mostNodes} nodes.`)
  const names = Array.from({ length: count }, (_, at) => `${cluster}-${at + 1}`)
  await whileActive(visitor, async () => {
    const servers = await serversIn(host, panel.id)
    const clusters = clustersAmong(servers)
    if (clusters.has(cluster) || servers.some(({ name }) => names.includes(name)))
      throw refusal(409, 'name_taken', 'There is such a cluster, or a server with the name of a node.')
    if (clusters.size >= (planNamed(host.plans, panel.plan).limits.clusters ?? Number.POSITIVE_INFINITY))
      throw refusal(409, 'limit_exceeded', 'The plan allows no more clusters.')
    try {
      for (const name of names) await makeWithin(visitor, { name, size, cluster })
    } catch (error) {
      await removeNodes(visitor, cluster)
      throw error
    }
  })
  note(visitor, 'added cluster', cluster)
  return {}
}

/** Deletes a cluster with all that is on its nodes. */
export async function remove(visitor: Visitor): Promise<Fields> {
  const { cluster } = visitor.asked
  if (!isName(cluster)) throw noServer()
  const removed = await whileActive(visitor, () => removeNodes(visitor, cluster))
  if (removed === 0) throw noServer()
  note(visitor, 'deleted cluster', cluster)
  return {}
}
