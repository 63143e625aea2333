import type { FastifyInstance } from 'fastify'
import { escaped } from '#platform/escape.ts'
import type { SimulatedEngine } from './engine.ts'
import type { Visit } from './links.ts'

/** The path of the simulated engine's console. */
export const consolePath = '/engine/simulated/console'

const style = `
  :root { color-scheme: light dark; --text: #1b1f27; --quiet: #5b6472; --page: #f4f5f7; --card: #fff; --line: #dfe3e8 }
  @media (prefers-color-scheme: dark) {
    :root { --text: #e7eaef; --quiet: #9aa4b2; --page: #0e1116; --card: #161b22; --line: #2b323c }
  }
  body { margin: 0; padding: 24px 16px; background: var(--page); color: var(--text); font: 14px/1.5 system-ui, sans-serif }
  main { max-width: 560px; margin: 8vh auto 0; padding: 24px; background: var(--card); border: 1px solid var(--line); border-radius: 8px }
  h1 { margin: 0 0 4px; font-size: 20px; line-height: 28px }
  p { margin: 0; color: var(--quiet) }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: 8px 24px; margin: 24px 0 0 }
  dt { color: var(--quiet) }
  dd { margin: 0; overflow-wrap: anywhere }
`

const page = (title: string, content: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title><style>${style}</style></head><body><main>${content}</main></body></html>
`

const row = (name: string, value: string) => `<dt>${name}</dt><dd>${escaped(value)}</dd>`

function welcome({ panel, ask }: Visit): string {
  const rows = [
    row('Panel', panel),
    row('Signed in as', ask.displayName),
    row('Subject', ask.subject),
    row('Role', ask.role),
    row('Scopes', ask.scopes.join(', ') || 'none'),
    row('Domains', ask.domains === null ? 'all of the panel' : ask.domains.join(', ') || 'none'),
    row('Came from', ask.clientIp ?? 'unknown'),
  ]
  const lead = '<p>The portal signed you in. A real engine would show its own control panel here.</p>'
  return page('Engine console', `<h1>Engine console</h1>${lead}<dl>${rows.join('')}</dl>`)
}

const refusal = page(
  'This link has expired',
  '<h1>This link has expired</h1><p>A link works once, within a minute. Go back to the portal and choose Connect again.</p>',
)

/** The console page behind the simulated engine's sign-in links, which shows the person and their rights. */
export function simulatedConsole(app: FastifyInstance, engine: SimulatedEngine): void {
  // A HEAD would consume the link without showing the page.
  app.get(consolePath, { exposeHeadRoute: false }, (request, reply) => {
    const { query } = request
    const token = typeof query === 'object' && query !== null && 'token' in query ? query.token : undefined
    const visit = typeof token === 'string' ? engine.redeem(token) : undefined
    return reply
      .code(visit ? 200 : 404)
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
      )
      .send(visit ? welcome(visit) : refusal)
  })
}
