import { once } from 'node:events'
import { createServer } from 'node:http'
import { settings } from './portal.ts'

/** A quantity of usage as the engine sends it. */
export type Usage = {
  readonly id: string
  readonly subject: string
  readonly data: { readonly resource: string; readonly meter: string; readonly quantity: string }
}

/** Receives usage as the portal does. `isLost`: whether a message that was taken gets no answer, and is sent again. */
export async function receive(take: (usage: Usage) => void, isLost: () => boolean): Promise<() => void> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    if (request.url === '/engine/v1/usage')
      for (const usage of JSON.parse(Buffer.concat(chunks).toString())) take(usage)
    response.writeHead(isLost() ? 503 : 200).end('{}')
  }).listen(Number(new URL(settings.portal ?? 'http://127.0.0.1:4300').port), '127.0.0.1')
  await once(server, 'listening')
  return () => {
    server.closeAllConnections()
    server.close()
  }
}
