import { randomUUID } from 'node:crypto'
import type { Host } from '../host.ts'

const mostEvents = 4000

/**
 * Moves the hours that are over, and read to their end, into the outbox; then the watermark. All in one transaction: an
 * hour is sent once, however often the engine dies.
 */
export function closeHours({ store, settings }: Host): void {
  const bucketMs = settings.usageSeconds * 1000
  const upTo = Math.floor((store.mark('sampled') ?? 0) / bucketMs) * bucketMs
  if (upTo <= (store.mark('closed') ?? 0)) return
  store.together(() => {
    const rows = store.all(
      'select * from hours where start < ? and quantity >= 0.0000005 order by panel',
      upTo,
    )
    const events = rows.map(({ uuid, panel, resource, meter, start, quantity }) => ({
      specversion: '1.0',
      id: `${uuid}:${panel}:${meter}:${start}`,
      source: `urn:engine:${settings.code}`,
      type: 'usage.v1',
      subject: `panel/${panel}`,
      data: {
        resource,
        meter,
        start: new Date(Number(start)).toISOString(),
        end: new Date(Number(start) + bucketMs).toISOString(),
        quantity: Number(quantity).toFixed(6),
      },
    }))
    const put = (path: string, type: string, body: unknown) =>
      store.run(
        'insert into outbox values (?, ?, ?, ?, null)',
        ...[`use_${randomUUID()}`, path, type, JSON.stringify(body)],
      )
    for (let at = 0; at < events.length; at += mostEvents)
      put('/engine/v1/usage', 'application/cloudevents-batch+json', events.slice(at, at + mostEvents))
    // Last, because the portal charges a day once the watermark passes it.
    put('/engine/v1/watermark', 'application/json', { through: new Date(upTo).toISOString() })
    store.run('delete from hours where start < ?', upTo)
    store.setMark('closed', upTo)
  })
}
