import type { Host } from '../host.ts'
import type { Panel } from '../panels/truth.ts'
import { deleteServer, going, isReady, makeServer, serversIn } from './making.ts'
import { clusterOf, diskMbOf, memoryMbOf, vcpusOf } from './resources.ts'

/** Finishes what was broken off with the servers of an active panel: deletes, or makes again. Says how many. */
export async function finishServers(host: Host, panel: Panel): Promise<number> {
  const broken = (await serversIn(host, panel.id)).filter((server) => !isReady(server))
  for (const server of broken) {
    const size = { vcpus: vcpusOf(server), memoryMb: memoryMbOf(server), diskMb: diskMbOf(server) }
    const { name, config } = server
    if (config[going] === '1') await deleteServer(host, panel.id, server)
    else await makeServer(host, panel, { name, size, cluster: clusterOf(server) ?? undefined })
  }
  return broken.length
}
