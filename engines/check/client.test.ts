import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { ReferenceEngine } from '../example/engine.ts'
import { Client } from './client.ts'
import { closing, secret, serve } from './serve.ts'

/** Serves an engine whose first answer to the making of a panel is lost; returns where. */
async function serveLosing(engine: string): Promise<string> {
  let isLost = false
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', url = '', headers } = request
    const body = Buffer.concat(chunks)
    const sent = { accept: 'application/json', 'content-type': 'application/json' }
    const signed = Object.entries(headers).filter(([name]) => name.startsWith('webhook-'))
    const answer = await fetch(engine + url, {
      method,
      headers: { ...sent, ...Object.fromEntries(signed.map(([name, value]) => [name, String(value)])) },
      ...(body.length > 0 && { body }),
    })
    const text = await answer.text()
    if (method === 'POST' && url === '/v1/panels' && !isLost) isLost = true
    else response.writeHead(answer.status).end(text)
  }).listen(0, '127.0.0.1')
  closing.push(() => server.closeAllConnections())
  closing.push(() => server.close())
  await once(server, 'listening')
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

test('the making of a panel is repeated when its answer is lost, and nothing is left of it', async () => {
  const engines: ReferenceEngine[] = []
  const url = await serve((parts) => {
    const engine = new ReferenceEngine(parts)
    engines.push(engine)
    return engine
  })
  const client = new Client(await serveLosing(url), secret, 2000)
  await client.health()
  expect(await client.panel()).toMatchObject({ status: 'active' })
  const panels = () => [...(engines[0]?.panels.values() ?? [])].map(({ status }) => status)
  expect(panels()).toEqual(['active'])
  await client.clear()
  expect(panels().filter((status) => status !== 'deleted')).toEqual([])
})
