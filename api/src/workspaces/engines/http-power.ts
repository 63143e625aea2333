import type { powerAsk } from '@portico/contract/engine/panel-calls.ts'
import { engineResource } from '@portico/contract/engine/wire.ts'
import type * as z from 'zod/mini'
import { type EngineCalls, unless } from './engine-calls.ts'
import type { PowerAnswer, PowerAsk } from './panel-engine.ts'

/** Asks an engine to switch a server. Throws when it is not clear what was done. */
export async function powerServer(
  calls: EngineCalls,
  panel: string,
  server: string,
  { requestId, ...ask }: PowerAsk,
): Promise<PowerAnswer> {
  const body = { ...ask, request_id: requestId } satisfies z.input<typeof powerAsk>
  const path = `${panel}/servers/${encodeURIComponent(server)}/power`
  return calls.readOrWait({ method: 'POST', path, body }, engineResource).then(
    (said): PowerAnswer => {
      if (said === undefined) return { state: 'waiting' }
      if (said.kind !== 'server' || said.id !== server)
        throw new Error(`The engine answered ${path} with another resource.`)
      const { id, ...one } = said
      return { state: 'done', server: { ...one, externalId: id } }
    },
    unless([400, 404, 409, 422], ({ said }) => ({ state: 'refused', code: said?.code ?? 'refused' })),
  )
}
