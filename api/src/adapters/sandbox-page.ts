import type { FastifyInstance, FastifyReply } from 'fastify'
import { challengePath } from './sandbox-objects.ts'
import type { Challenge, SandboxProvider } from './sandbox-provider.ts'

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => escapes[character] ?? '')

const style = `
  :root { color-scheme: light dark; --text: #1b1f27; --quiet: #5b6472; --page: #f4f5f7; --card: #fff; --line: #dfe3e8; --accent: #0b5fff }
  @media (prefers-color-scheme: dark) {
    :root { --text: #e7eaef; --quiet: #9aa4b2; --page: #0e1116; --card: #161b22; --line: #2b323c; --accent: #7aa7ff }
  }
  body { margin: 0; padding: 24px 16px; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif }
  main { max-width: 440px; margin: 8vh auto 0; padding: 24px; background: var(--card); border: 1px solid var(--line); border-radius: 8px }
  h1 { margin: 0 0 8px; font-size: 20px; line-height: 28px }
  p { margin: 0 0 16px; color: var(--quiet) }
  .sum { color: var(--text); font-size: 28px; line-height: 36px; font-variant-numeric: tabular-nums }
  form { display: grid; gap: 12px }
  button { min-height: 44px; padding: 8px 16px; font: inherit; border: 1px solid var(--line); border-radius: 6px; background: none; color: inherit; cursor: pointer }
  button[value=yes] { background: var(--accent); border-color: var(--accent); color: var(--card) }
  button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
`

const page = (title: string, content: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title><style>${style}</style></head><body><main>${content}</main></body></html>
`

function question({ kind, amount, currency, last4 }: Challenge): string {
  const sum = amount === null ? '' : `<p class="sum">${escaped(`${amount} ${currency ?? ''}`)}</p>`
  const asked =
    kind === 'payment' ? 'Do you want to pay this' : 'Do you want to let the portal keep your card'
  return page(
    'Test bank',
    `<h1>Test bank</h1>${sum}<p>${asked} with the card ending in ${escaped(last4)}? No money moves: this is the sandbox.</p>
<form method="post"><button name="answer" value="yes">Confirm</button><button name="answer" value="no">Refuse</button></form>`,
  )
}

const gone = page(
  'Nothing to confirm',
  '<h1>Nothing to confirm</h1><p>This address is not known, or was answered before. Go back to the portal.</p>',
)

function show(reply: FastifyReply, status: number, html: string) {
  return (
    reply
      .code(status)
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      // The answer leads on to the portal, which is a part of where a form may lead.
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      )
      .send(html)
  )
}

type Params = { readonly ref: string; readonly token: string }

/**
 * The page of the sandbox's own bank, which asks whether a card or a payment is meant. Whoever knows its address may answer:
 * it is told to the person alone.
 *
 * @param backTo where the person goes on, by what was asked and its id.
 */
export async function sandboxPage(
  app: FastifyInstance,
  sandbox: SandboxProvider,
  backTo: (challenge: Challenge) => string,
): Promise<void> {
  const url = `${challengePath}/:ref/:token`
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 1024 },
      (_request, body, done) => done(null, String(body)),
    )
    scope.get<{ Params: Params }>(url, async ({ params }, reply) => {
      const challenge = await sandbox.challenge(params.ref, params.token)
      return challenge?.open ? show(reply, 200, question(challenge)) : show(reply, 404, gone)
    })
    scope.post<{ Params: Params; Body: string }>(url, async ({ params, body }, reply) => {
      const challenge = await sandbox.challenge(params.ref, params.token)
      if (!challenge) return show(reply, 404, gone)
      await sandbox.answerChallenge(params.ref, new URLSearchParams(body).get('answer') === 'yes')
      return reply.header('cache-control', 'no-store').redirect(backTo(challenge), 303)
    })
  })
}
