import { createServer, request } from 'node:http'

// The public page: its own process and user, without any right at LXD. It asks main.ts by a Unix socket, which looks at the
// session each time. What breaks here cannot break the engine.

const {
  CONSOLE_PORT = '4201',
  CONSOLE_HOST = '127.0.0.1',
  ENGINE_DIR = '/var/lib/portico-engine',
} = process.env
const socketPath = process.env.CONSOLE_SOCKET ?? `${ENGINE_DIR}/console.socket`

type Answer = { readonly status: number; readonly text: string }

/** Asks the engine. */
function ask(path: string, body: object): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const asking = request({ socketPath, path, method: 'POST', timeout: 30_000 }, (response) => {
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
  'content-security-policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}

const cookieOf = (session: string) => `session=${session}; HttpOnly; SameSite=Strict; Path=/`
const sessionIn = (cookies = '') => /(?:^|; )session=([\w-]+)/.exec(cookies)?.[1] ?? ''

async function answer(target: string, cookies: string | undefined) {
  const token = /^\/open\?token=([\w-]+)$/.exec(target)?.[1]
  if (token !== undefined) {
    const { status, text } = await ask('/enter', { token })
    if (status !== 200) return { status, text: '', more: {} }
    return {
      status: 303,
      text: '',
      more: { location: '/panel', 'set-cookie': cookieOf(JSON.parse(text).session) },
    }
  }
  if (target !== '/panel') return { status: 404, text: '', more: {} }
  const { status, text } = await ask('/panel', { session: sessionIn(cookies) })
  return { status, text, more: { 'content-type': 'application/json' } }
}

const server = createServer(async (incoming, response) => {
  try {
    const { status, text, more } = await answer(incoming.url ?? '/', incoming.headers.cookie)
    response.writeHead(status, { ...headers, ...more }).end(text)
  } catch (error) {
    console.error(error)
    response.writeHead(502, headers).end()
  }
})
server.listen(Number(CONSOLE_PORT), CONSOLE_HOST, () =>
  console.log(`The page is ready: http://${CONSOLE_HOST}:${CONSOLE_PORT}`),
)
