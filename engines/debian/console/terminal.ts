import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import WebSocket, { WebSocketServer } from 'ws'

/** Asks the engine; undefined when it refuses. */
export type Ask = (path: string, body: object) => Promise<Readonly<Record<string, unknown>> | undefined>

const lookMs = 5000
const mostBytes = 65_536
const { LXD_ADDRESS = '127.0.0.1:8443' } = process.env
const server = new WebSocketServer({ noServer: true, maxPayload: mostBytes })

/** LXD's own certificate is made by itself; the address is on this machine. */
const open = (operation: unknown, secret: unknown) =>
  new WebSocket(`wss://${LXD_ADDRESS}${operation}/websocket?secret=${encodeURIComponent(String(secret))}`, {
    rejectUnauthorized: false,
    perMessageDeflate: false,
  })

/** `{cols, rows}` as the page says them; anything else is nothing. */
function sizeIn(text: string) {
  const { cols, rows } = JSON.parse(text)
  const isSize = (value: unknown) => Number.isInteger(value) && Number(value) > 0 && Number(value) < 1000
  return isSize(cols) && isSize(rows) ? { width: String(cols), height: String(rows) } : undefined
}

function join(page: WebSocket, { operation, fds }: Readonly<Record<string, unknown>>): void {
  const data = open(operation, Object(fds)['0'])
  const control = open(operation, Object(fds).control)
  for (const socket of [page, data, control]) {
    socket.on('error', () => socket.terminate())
    socket.on('close', () => {
      for (const other of [page, data, control]) other.close()
    })
  }
  data.on('message', (chunk) => page.send(chunk))
  page.on('message', (message, isBinary) => {
    if (isBinary && data.readyState === WebSocket.OPEN) data.send(message)
    if (isBinary || control.readyState !== WebSocket.OPEN) return
    try {
      const args = sizeIn(String(message))
      if (args) control.send(JSON.stringify({ command: 'window-resize', args }))
    } catch {
      page.close(1003)
    }
  })
}

/** Joins a person's terminal to a shell, for as long as their access lasts. */
export async function openTerminal(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  ask: Ask,
): Promise<void> {
  const name = /^\/terminal\/([a-z0-9-]{1,63})$/.exec(request.url ?? '')?.[1]
  const shell = name === undefined ? undefined : await ask('/servers/terminal', { server: name })
  if (!shell) {
    socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n')
    return
  }
  server.handleUpgrade(request, socket, head, (page) => {
    const look = setInterval(async () => {
      const known = await ask('/panel', {}).catch(() => undefined)
      if (!known) page.close(1008, 'signed out')
    }, lookMs)
    page.on('close', () => clearInterval(look))
    join(page, shell)
  })
}
