import { once } from 'node:events'
import { createServer, type Server } from 'node:http'

type Zone = { id: string; name: string; account: string; dnssec: boolean }

/** As much of PowerDNS as the engine asks for. */
export class FakeDns {
  readonly zones = new Map<string, Zone>()
  #server: Server | undefined

  /** Listens on a free port; answers the address of its API. */
  async listen(): Promise<string> {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const text = Buffer.concat(chunks).toString()
      const [status, body] = this.#answer(request.method ?? '', request.url ?? '', text)
      response.writeHead(status).end(JSON.stringify(body))
    }).listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    const address = this.#server.address()
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  }

  close(): void {
    this.#server?.closeAllConnections()
    this.#server?.close()
  }

  #answer(method: string, target: string, text: string): [number, unknown] {
    const name = decodeURIComponent(/^\/zones\/([^/?]+)/.exec(target)?.[1] ?? '')
    if (method === 'POST') {
      const asked: { name: string; account: string } = JSON.parse(text)
      if (this.zones.has(asked.name)) return [409, { error: 'Conflict' }]
      this.zones.set(asked.name, { id: asked.name, name: asked.name, account: asked.account, dnssec: false })
      return [201, {}]
    }
    if (name === '') return [200, [...this.zones.values()]]
    const zone = this.zones.get(name)
    if (!zone) return [404, { error: 'Not Found' }]
    if (method === 'DELETE') this.zones.delete(name)
    return [200, zone]
  }
}
