import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair } from 'jose'
import { interactionPolicy, Provider } from 'oidc-provider'

/** A person with an account at the issuer. */
export type Vouched = {
  readonly sub: string
  readonly email: string
  readonly email_verified?: boolean
  readonly given_name?: string
  readonly family_name?: string
  readonly name?: string
  readonly picture?: string
}

export type Issuer = {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  /**
   * The people who can sign in, by e-mail; a test may change them. Any other address is a new person with a verified
   * e-mail.
   */
  readonly people: Map<string, Vouched>
  /** Goes away as a service that is down does: its port is closed. */
  readonly stop: () => Promise<void>
  /** Comes back on the same port. */
  readonly start: () => Promise<void>
}

const clientId = 'portico-test'
const clientSecret = 'a-client-secret-that-only-tests-have'

const escaped = (given: string) => given.replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`)

const loginPage = (
  uid: string,
) => `<!doctype html><html lang="en"><title>Test issuer</title><main><h1>Test issuer</h1>
<form method="post" action="/interaction/${escaped(uid)}">
<label>Email <input name="email" type="email" autofocus></label>
<button name="answer" value="continue">Continue</button> <button name="answer" value="cancel">Cancel</button></form></main>`

/** The prefix of addresses that now belong to a different person at the issuer. */
const changedHands = /^successor-of-/

/** A person whose name is derived from an address. */
function somebody(typed: string): Vouched {
  const email = typed.replace(changedHands, '')
  const [name = ''] = email.split('@', 1)
  const given_name = name.charAt(0).toUpperCase() + name.slice(1)
  return { sub: `sub-of-${typed}`, email, email_verified: true, given_name, family_name: 'Example' }
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

// Asks each time, as the portal wants it; the account is chosen and logged in to in one step.
function policy() {
  const prompts = interactionPolicy.base()
  prompts.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0)
  return prompts
}

async function signingKey() {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'issuer-key' }
}

async function provider(url: string, people: ReadonlyMap<string, Vouched>): Promise<Provider> {
  const bySub = (sub: string) =>
    [...people.values()].find((one) => one.sub === sub) ?? somebody(sub.replace(/^sub-of-/, ''))
  const issuer = new Provider(url, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: ['http://localhost/google/callback'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [await signingKey()] },
    cookies: { keys: ['keys that only tests have'] },
    // As Google does: what is known of the person is in the ID token itself.
    conformIdTokenClaims: false,
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['given_name', 'family_name', 'name', 'picture'],
    },
    pkce: { required: () => true },
    ttl: {
      Interaction: 600,
      Grant: 600,
      Session: 600,
      AccessToken: 600,
      IdToken: 600,
      AuthorizationCode: 60,
    },
    features: { devInteractions: { enabled: false } },
    interactions: { policy: policy(), url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ ...bySub(sub) }) }),
    // Consent is not asked for: the portal may know all that it requests.
    loadExistingGrant: async (ctx) => {
      const { client, session } = ctx.oidc
      if (!client || !session?.accountId) return undefined
      const grant = new issuer.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  // The portal under test listens on a port that is not known yet.
  issuer.Client.prototype.redirectUriAllowed = (uri: string) =>
    loopback.has(new URL(uri).hostname) && new URL(uri).pathname === '/google/callback'
  return issuer
}

function handlerOf(issuer: Provider, people: ReadonlyMap<string, Vouched>): http.RequestListener {
  const rest = issuer.callback()
  const answer = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    const { uid } = await issuer.interactionDetails(request, response)
    if (request.method !== 'POST') {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(loginPage(uid))
      return
    }
    const given = new URLSearchParams(await text(request))
    const email = given.get('email') ?? ''
    const { sub } = people.get(email) ?? somebody(email)
    const result =
      given.get('answer') === 'cancel'
        ? { error: 'access_denied', error_description: 'The person did not want to.' }
        : { select_account: {}, login: { accountId: sub } }
    await issuer.interactionFinished(request, response, result)
  }
  return (request, response) => {
    const answered = request.url?.startsWith('/interaction/')
      ? answer(request, response)
      : rest(request, response)
    Promise.resolve(answered).catch((error: unknown) => response.writeHead(400).end(String(error)))
  }
}

/**
 * A real OpenID Connect issuer (oidc-provider) on this machine, which stands in for Google: PKCE required, signed ID
 * tokens, a page to sign in with any e-mail. Its client may return to `/google/callback` of any portal on this machine.
 */
export async function startIssuer(known: readonly Vouched[] = []): Promise<Issuer> {
  const people = new Map(known.map((one) => [one.email, one]))
  const server = http.createServer()
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()))
  await listen(0)
  // A server that listens on TCP has such an address.
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  server.on('request', handlerOf(await provider(url, people), people))
  return {
    url,
    clientId,
    clientSecret,
    people,
    start: () => listen(port),
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

/** Returns the URL that the issuer redirects to, after the person has signed in there or cancelled. */
export async function throughIssuer(
  authorization: string,
  email: string,
  answer: 'continue' | 'cancel' = 'continue',
): Promise<URL> {
  const cookies = new Map<string, string>()
  const { origin } = new URL(authorization)
  const ask = async (url: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return response
  }
  let response = await ask(authorization)
  for (let steps = 0; steps < 10; steps++) {
    const to = response.headers.get('location')
    if (to === null) throw new Error(`The issuer answered ${response.status}: ${await response.text()}`)
    const next = new URL(to, origin)
    if (next.origin !== origin) return next
    response = await ask(next.href)
    if (next.pathname.startsWith('/interaction/'))
      response = await ask(next.href, { method: 'POST', body: new URLSearchParams({ email, answer }) })
  }
  throw new Error('The issuer never came to an end.')
}
