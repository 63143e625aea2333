import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { files, policy } from './console/files.ts'
import { openTerminal } from './console/terminal.ts'

// The public page: its own process and user, without any right at LXD. It asks main.ts by a Unix socket, which looks at the
// session each time. What breaks here cannot break the engine.

const {
  CONSOLE_PORT = '4201',
  CONSOLE_HOST = '127.0.0.1',
  ENGINE_DIR = '/var/lib/portico-engine',
} = process.env
const socketPath = process.env.CONSOLE_SOCKET ?? `${ENGINE_DIR}/console.socket`
const isSecure = process.env.CONSOLE_URL?.startsWith('https:') ?? false
const mostBytes = 262_144

type Answer = { readonly status: number; readonly text: string }

/** Asks the engine. */
function ask(path: string, body: object): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const asking = request({ socketPath, path, method: 'POST', timeout: 60_000 }, (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('end', () =>
      resolve({ status: response.statusCode ?? 502, text: Buffer.concat(chunks).toString() }),
    )
  })
  asking.on('timeout', () => asking.destroy(new Error('The engine did not answer.')))
  asking.on('error', reject)
  asking.end(JSON.stringify(body))
  return promise
}

const headers = {
  'content-security-policy': policy,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
}

const cookieName = isSecure ? '__Host-session' : 'session'
const cookieOf = (session: string) =>
  `${cookieName}=${session}; HttpOnly; SameSite=Strict; Path=/${isSecure ? '; Secure' : ''}`
const sessionIn = ({ headers: { cookie = '' } }: IncomingMessage) =>
  new RegExp(`(?:^|; )${cookieName}=([\\w-]+)`).exec(cookie)?.[1] ?? ''

/** Whether our own page asks: another's could open a terminal with the cookie of a person. */
function isOwn({ headers: { origin, host } }: IncomingMessage): boolean {
  return origin !== undefined && URL.parse(origin)?.host === host
}

/** A redirect would come from the portal's site still, and bring no strict cookie; a page of ours goes on. */
const onward = '<!doctype html><meta http-equiv="refresh" content="0;url=/"><title>…</title>'

async function enter(token: string, response: ServerResponse): Promise<void> {
  const { status, text } = await ask('/enter', { token })
  if (status !== 200) {
    response.writeHead(410, headers).end('This link has expired. / Acest link a expirat.')
    return
  }
  const cookie = {
    'set-cookie': cookieOf(JSON.parse(text).session),
    'content-type': 'text/html; charset=utf-8',
  }
  response.writeHead(200, { ...headers, ...cookie }).end(onward)
}

async function bodyOf(incoming: IncomingMessage): Promise<object> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming) {
    size += chunk.length
    if (size > mostBytes) throw new Error('The body is too large.')
    chunks.push(chunk)
  }
  return Object(size === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString()))
}

async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://page')
  if (incoming.method === 'GET') {
    const token = searchParams.get('token')
    if (pathname === '/open' && token !== null) return enter(token, response)
    const file = files[pathname]
    const type = { 'content-type': file?.type ?? 'text/plain' }
    const own = file?.policy === undefined ? {} : { 'content-security-policy': file.policy }
    response.writeHead(file ? 200 : 404, { ...headers, ...type, ...own }).end(file?.body)
    return
  }
  if (incoming.method !== 'POST' || !pathname.startsWith('/api/') || !isOwn(incoming)) {
    response.writeHead(404, headers).end()
    return
  }
  const path = pathname.slice('/api'.length)
  // Those two are of this process alone.
  const isInner = path === '/enter' || path === '/servers/terminal'
  const body = { ...(await bodyOf(incoming)), session: sessionIn(incoming) }
  const { status, text } = isInner ? { status: 404, text: '' } : await ask(path, body)
  response.writeHead(status, { ...headers, 'content-type': 'application/json' }).end(text)
}

const server = createServer((incoming, response) => {
  answer(incoming, response).catch((error: unknown) => {
    console.error(error)
    if (!response.headersSent) response.writeHead(502, headers)
    response.end()
  })
})

server.on('upgrade', (incoming, socket, head) => {
  socket.on('error', () => socket.destroy())
  const session = sessionIn(incoming)
  const asking = async (path: string, body: object) => {
    const { status, text } = await ask(path, { ...body, session })
    return status === 200 ? JSON.parse(text) : undefined
  }
  if (!isOwn(incoming)) socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n')
  else openTerminal(incoming, socket, head, asking).catch(() => socket.destroy())
})

server.listen(Number(CONSOLE_PORT), CONSOLE_HOST, () =>
  console.log(`The page is ready: http://${CONSOLE_HOST}:${CONSOLE_PORT}`),
)
