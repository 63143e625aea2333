import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { escaped } from '#platform/escape.ts'
import type { Challenge } from './sandbox-objects.ts'
import { challengePath } from './sandbox-objects.ts'
import type { SandboxProvider } from './sandbox-provider.ts'

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

type Language = 'en' | 'ro'

const words = {
  en: {
    bank: 'Test bank',
    pay: (last4: string) => `Do you want to pay this with the card ending in ${last4}?`,
    keep: (last4: string) => `Do you want to let the portal keep your card ending in ${last4}?`,
    pretended: 'No money moves: this is the sandbox.',
    yes: 'Confirm',
    no: 'Refuse',
    gone: 'Nothing to confirm',
    goBack: 'This address is not known, or was answered before. Go back to the portal.',
  },
  ro: {
    bank: 'Banca de test',
    pay: (last4: string) => `Vrei să plătești această sumă cu cardul care se termină în ${last4}?`,
    keep: (last4: string) => `Vrei ca portalul să păstreze cardul care se termină în ${last4}?`,
    pretended: 'Nu se mișcă bani: aici totul este de probă.',
    yes: 'Confirmă',
    no: 'Refuză',
    gone: 'Nimic de confirmat',
    goBack: 'Adresa nu este cunoscută sau i s-a răspuns deja. Întoarce-te în portal.',
  },
}

const page = (language: Language, title: string, content: string) => `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title><style>${style}</style></head><body><main>${content}</main></body></html>
`

function question({ kind, amount, currency, last4 }: Challenge, language: Language): string {
  const said = words[language]
  const sum = amount === null ? '' : `<p class="sum">${escaped(`${amount} ${currency ?? ''}`)}</p>`
  const asked = kind === 'payment' ? said.pay(last4) : said.keep(last4)
  return page(
    language,
    said.bank,
    `<h1>${said.bank}</h1>${sum}<p>${escaped(asked)} ${said.pretended}</p>
<form method="post"><button name="answer" value="yes">${said.yes}</button><button name="answer" value="no">${said.no}</button></form>`,
  )
}

const gone = (language: Language): string => {
  const { gone: title, goBack } = words[language]
  return page(language, title, `<h1>${title}</h1><p>${goBack}</p>`)
}

function show(reply: FastifyReply, status: number, html: string) {
  return (
    reply
      .code(status)
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      // The response redirects to the portal, and form-action applies to redirects too.
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      )
      .send(html)
  )
}

type Params = { readonly ref: string; readonly token: string }

/**
 * The page of the sandbox's bank, which asks to confirm a card or a payment. Its address is secret and known
 * to the person alone.
 *
 * @param payments whose sandbox it is; there is no such page while another provider is in use.
 * @param backTo the address to return to, by the kind of challenge and its id.
 * @param languageOf the reader's language.
 */
export async function sandboxPage(
  app: FastifyInstance,
  payments: { readonly sandbox: SandboxProvider | undefined },
  {
    backTo,
    languageOf,
  }: {
    readonly backTo: (challenge: Challenge) => string
    readonly languageOf: (request: FastifyRequest) => Language
  },
): Promise<void> {
  const url = `${challengePath}/:ref/:token`
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 1024 },
      (_request, body, done) => done(null, String(body)),
    )
    scope.get<{ Params: Params }>(url, async (request, reply) => {
      const { params } = request
      const language = languageOf(request)
      const challenge = await payments.sandbox?.challenge(params.ref, params.token)
      return challenge?.open
        ? show(reply, 200, question(challenge, language))
        : show(reply, 404, gone(language))
    })
    scope.post<{ Params: Params; Body: string }>(url, async (request, reply) => {
      const { params, body } = request
      const challenge = await payments.sandbox?.challenge(params.ref, params.token)
      if (!challenge) return show(reply, 404, gone(languageOf(request)))
      await payments.sandbox?.answerChallenge(params.ref, new URLSearchParams(body).get('answer') === 'yes')
      return reply.header('cache-control', 'no-store').redirect(backTo(challenge), 303)
    })
  })
}
