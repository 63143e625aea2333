import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll } from 'vitest'

type Answer = { readonly status?: number; readonly headers?: Record<string, string>; readonly body: string }

export type HostileIssuer = {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  /** Answers the next code with this ID token. */
  idToken: (token: string) => void
  /** Answers the next code so. */
  answer: (answer: Answer | 'nothing') => void
  /** How many codes were presented. */
  readonly asked: () => number
  /** A right ID token, but for what is changed. A header or claim of `undefined` is left out. */
  readonly token: (claims: Record<string, unknown>, more?: Forgery) => Promise<string>
}

export type Forgery = {
  readonly header?: Record<string, unknown>
  /** Signed by a key that the issuer never published. */
  readonly foreignKey?: boolean
}

const clientId = 'portico-test'
const clientSecret = 'a-client-secret-that-only-tests-have'

/**
 * An issuer with its own keys that returns any claims a test needs: valid signatures over wrong claims, and wrong
 * signatures over valid ones. The portal runs unchanged against it.
 */
export async function hostileIssuer(): Promise<HostileIssuer> {
  const [ours, foreign] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')])
  const key = { ...(await exportJWK(ours.publicKey)), alg: 'RS256', use: 'sig', kid: 'hostile' }
  let next: Answer | 'nothing' = { body: '{}' }
  let asked = 0
  const json = (body: unknown) => JSON.stringify(body)
  const pages: Record<string, () => Answer | 'nothing'> = {
    '/.well-known/openid-configuration': () => ({
      body: json({
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        jwks_uri: `${url}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
        authorization_response_iss_parameter_supported: true,
      }),
    }),
    '/keys': () => ({ body: json({ keys: [key] }) }),
    '/token': () => {
      asked += 1
      return next
    },
  }
  const server = http.createServer((request, response) => {
    const answer = pages[request.url ?? '']?.() ?? { status: 404, body: '{}' }
    if (answer === 'nothing') return
    const { status = 200, headers = {}, body } = answer
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  // A server that listens on TCP has such an address.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    clientId,
    clientSecret,
    idToken: (id_token) => {
      next = { body: json({ access_token: 'of no use', token_type: 'Bearer', expires_in: 60, id_token }) }
    },
    answer: (answer) => {
      next = answer
    },
    asked: () => asked,
    token: (claims, { header, foreignKey } = {}) => {
      const now = Math.floor(Date.now() / 1000)
      const right = {
        iss: url,
        aud: clientId,
        sub: 'mallory',
        iat: now,
        exp: now + 300,
        email_verified: true,
      }
      return new SignJWT({ ...right, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: 'hostile', ...header })
        .sign(foreignKey ? foreign.privateKey : ours.privateKey)
    },
  }
}
