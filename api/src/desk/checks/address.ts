import { randomBytes } from 'node:crypto'
import http from 'node:http'
import https from 'node:https'
import type { Env } from '#config/env.ts'
import { isThisMachine } from '#config/env-values.ts'
import { failureMessage } from '#platform/errors/failure-message.ts'
import { type Finding, good, hint, stop, warn } from './finding.ts'

const patienceMs = 10_000
// Below the limit of the portal for files.
const largeBytes = 9_000_000
const refusalMs = 2000

const ask = (url: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url, { redirect: 'manual', ...init, signal: AbortSignal.timeout(patienceMs) })

const ofPortal = ({ headers }: Response): boolean => headers.has('x-request-id')

/** A request id that the portal made itself, because it did not accept that of a proxy. */
const own = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

async function trust({ publicUrl, trustedProxies }: Env): Promise<Finding[]> {
  // The portal itself has no TLS, so something in front of it has.
  const hasProxy = new URL(publicUrl).protocol === 'https:' || trustedProxies.length > 0
  if (!hasProxy) return []
  const sent = `doctor-${randomBytes(8).toString('hex')}`
  const answer = await ask(`${publicUrl}/healthz`, { headers: { 'x-request-id': sent } })
  const id = answer.headers.get('x-request-id') ?? ''
  if (!own.test(id))
    return [
      good(
        'proxy',
        'it is trusted, so limits count the addresses of clients.',
        'este de încredere, deci limitele numără adresele clienților.',
      ),
    ]
  return trustedProxies.length === 0
    ? [
        warn(
          'proxy',
          'TRUSTED_PROXIES is empty, so all people share the limits of one address; set it to the address of the proxy.',
          'TRUSTED_PROXIES este gol, deci toți împart limitele unei singure adrese; scrie acolo adresa proxy-ului.',
        ),
      ]
    : [
        warn(
          'proxy',
          'it is not trusted, so all people share the limits of one address; TRUSTED_PROXIES has to name the address from which it connects, and it has to pass X-Request-Id on.',
          'nu este de încredere, deci toți împart limitele unei singure adrese; TRUSTED_PROXIES trebuie să conțină adresa de pe care se conectează, iar el să transmită X-Request-Id.',
        ),
      ]
}

/**
 * The status with which a body of so many bytes is refused before it is sent, and whether the portal did so; undefined when
 * it is waited for.
 */
function refusalOf(url: string, bytes: number): Promise<{ status: number; byPortal: boolean } | undefined> {
  const { promise, resolve } = Promise.withResolvers<{ status: number; byPortal: boolean } | undefined>()
  const send = url.startsWith('https:') ? https.request : http.request
  const request = send(url, { method: 'POST', headers: { 'content-length': bytes }, agent: false })
  const end = (found?: { status: number; byPortal: boolean }) => {
    request.destroy()
    resolve(found)
  }
  request.setTimeout(refusalMs, () => end())
  request.on('error', () => end())
  request.on('response', ({ statusCode = 0, headers }) =>
    end({ status: statusCode, byPortal: headers['x-request-id'] !== undefined }),
  )
  request.flushHeaders()
  return promise
}

async function largeFiles({ publicUrl }: Env): Promise<Finding[]> {
  const refused = await refusalOf(`${publicUrl}/-doctor`, largeBytes)
  return refused?.status === 413 && !refused.byPortal
    ? [
        warn(
          'proxy',
          'it refuses files of 9 MB; raise its limit to 12 MB, in nginx by client_max_body_size.',
          'refuză fișiere de 9 MB; ridică limita la 12 MB, în nginx prin client_max_body_size.',
        ),
      ]
    : []
}

/** Whether the portal has the text of a page itself, published at the desk. */
async function isPublished({ publicUrl }: Env, kind: string): Promise<boolean> {
  const answer = await ask(`${publicUrl}/api/v1/published-texts/-actions/current?payload[kind]=${kind}`)
  if (!answer.ok) return false
  const text: { version?: string | null } = await answer.json()
  return typeof text.version === 'string'
}

async function documents(env: Env): Promise<Finding> {
  const missing: string[] = []
  for (const kind of ['terms', 'privacy']) {
    const answer = await ask(`${env.publicUrl}/${kind}`)
    const isThere = ofPortal(answer) ? await isPublished(env, kind) : answer.ok
    if (!isThere) missing.push(`/${kind}`)
  }
  return missing.length === 0
    ? good(
        'terms',
        'the texts that people accept are there.',
        'textele pe care le acceptă clienții sunt publicate.',
      )
    : warn(
        'terms',
        `${missing.join(' and ')} have no text; publish one at /desk/texts, because people accept it.`,
        `lipsește textul pentru ${missing.join(' și ')}; publică-l la /desk/texts, pentru că oamenii îl acceptă.`,
      )
}

async function metrics({ publicUrl }: Env): Promise<Finding[]> {
  const { status } = await ask(`${publicUrl}/metrics`)
  return status === 200
    ? [
        warn(
          'metrics',
          'everyone can read /metrics; take the proxy out of METRICS_NETWORKS.',
          'oricine poate citi /metrics; scoate proxy-ul din METRICS_NETWORKS.',
        ),
      ]
    : []
}

/** A fault of the address itself, as browsers reach it; undefined when it leads to the portal. */
async function faultOf({ publicUrl, seed }: Env): Promise<Finding | undefined> {
  try {
    const answer = await ask(`${publicUrl}/healthz`)
    if (answer.ok && (await answer.text()).trim() === 'alive') return undefined
    return stop(
      'address',
      `${publicUrl} leads to something else than the portal (status ${answer.status}); check PUBLIC_URL and the proxy.`,
      `${publicUrl} duce la altceva decât portalul (status ${answer.status}); verifică PUBLIC_URL și proxy-ul.`,
    )
  } catch (error) {
    const reason = failureMessage(error)
    return (seed === 'demo' ? hint : warn)(
      'address',
      `${publicUrl} cannot be reached from here (${reason}); start the portal, and check PUBLIC_URL, DNS and the proxy.`,
      `${publicUrl} nu poate fi contactată de aici (${reason}); pornește portalul și verifică PUBLIC_URL, DNS și proxy-ul.`,
    )
  }
}

function encryption({ publicUrl }: Env): Finding[] {
  const { protocol, hostname } = new URL(publicUrl)
  if (protocol === 'https:' || isThisMachine(hostname)) return []
  return [
    warn(
      'address',
      `${publicUrl} is not encrypted; put a proxy with TLS in front, and begin PUBLIC_URL with https.`,
      `${publicUrl} nu este criptată; pune în față un proxy cu TLS și începe PUBLIC_URL cu https.`,
    ),
  ]
}

/** Visits the portal at the address of browsers, as they reach it. */
export async function checkAddress(env: Env): Promise<Finding[]> {
  const { publicUrl, seed } = env
  const scheme = encryption(env)
  const fault = await faultOf(env)
  if (fault !== undefined) return [...scheme, fault]
  const found = [
    ...scheme,
    good('address', `${publicUrl} leads to the portal.`, `${publicUrl} duce la portal.`),
  ]
  if (seed === 'demo') return found
  return [
    ...found,
    ...(await trust(env)),
    ...(await largeFiles(env)),
    ...(await metrics(env)),
    await documents(env),
  ]
}
