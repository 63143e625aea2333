import { randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import type { Env } from '#config/env.ts'
import { filePartsOf } from '#platform/files/file-parts.ts'
import { smtpProblem } from '#platform/mail/transport/smtp-mailer.ts'
import { type Finding, good, note, reasonOf, wrong } from './finding.ts'

/** Connects to the mail server and signs in; sends nothing. */
export async function checkMail(env: Env): Promise<Finding> {
  const { smtpUrl } = env
  if (smtpUrl === undefined)
    return env.seed === 'demo'
      ? good('mail', 'letters of the demo are kept for its outbox page.')
      : wrong('mail', 'no letter is sent, so nobody can register; set SMTP_URL.')
  const problem = await smtpProblem({ ...env, smtpUrl })
  return problem === undefined
    ? good('mail', 'the mail server accepts the connection and the credentials.')
    : wrong('mail', `the mail server cannot be used (${problem}); check SMTP_URL.`)
}

/** Writes, reads and removes a small file. */
export async function checkFiles(env: Env): Promise<Finding> {
  const where = env.s3 ? `the bucket ${env.s3.bucket}` : `the folder ${path.join(env.dataDir, 'files')}`
  const settings = env.s3 ? 'the S3_ variables and the rights of the key' : 'DATA_DIR and its owner'
  try {
    const { storage } = await filePartsOf(env)
    const key = `doctor-${randomBytes(8).toString('hex')}`
    const file = path.join(storage.incoming, key)
    await fs.writeFile(file, key)
    await storage.keep(key, file)
    const stored = await storage.read(key)
    const isSame = stored !== null && (await text(stored)) === key
    await storage.remove(key)
    return isSame
      ? good('files', `${where} stores and returns files.`)
      : wrong('files', `${where} does not return what was stored; check ${settings}.`)
  } catch (error) {
    return wrong('files', `${where} cannot be used (${reasonOf(error)}); check ${settings}.`)
  }
}

const stripeHost = 'https://api.stripe.com'
const patienceMs = 10_000

/** The families of events without which payments are only noticed late. */
const families = [
  'payment_intent.',
  'setup_intent.',
  'charge.refunded',
  'refund.',
  'charge.dispute.',
  'payment_method.',
]

type Endpoint = { readonly url?: unknown; readonly status?: unknown; readonly enabled_events?: unknown }

function endpointsIn(body: unknown): Endpoint[] {
  const data = typeof body === 'object' && body !== null && 'data' in body ? body.data : []
  return Array.isArray(data)
    ? data.filter((one): one is Endpoint => typeof one === 'object' && one !== null)
    : []
}

function webhook(endpoints: readonly Endpoint[], address: string): Finding {
  const ours = endpoints.find(({ url, status }) => url === address && status === 'enabled')
  if (ours === undefined)
    return wrong(
      'stripe',
      `no enabled webhook endpoint leads to ${address}; add it in the dashboard of Stripe.`,
    )
  const events = Array.isArray(ours.enabled_events) ? ours.enabled_events.map(String) : []
  const missing = families.filter((family) => !events.some((one) => one === '*' || one.startsWith(family)))
  return missing.length === 0
    ? good('stripe', 'the key is valid, and the webhook endpoint receives the events.')
    : wrong(
        'stripe',
        `the webhook endpoint lacks the events ${missing.map((one) => `${one}*`).join(', ')}; add them at Stripe.`,
      )
}

/** Asks Stripe whether the key is valid and a webhook endpoint leads here. */
export async function checkStripe({ stripe, publicUrl, seed }: Env): Promise<Finding[]> {
  if (stripe === undefined)
    return seed === 'demo'
      ? []
      : [
          note(
            'payments',
            'the sandbox takes test cards only, and no money moves; set the STRIPE_ variables.',
          ),
        ]
  const mode = /_live_/.test(stripe.secretKey)
    ? []
    : [note('stripe', 'the key is a test key, so no money moves.')]
  try {
    const answer = await fetch(`${stripe.apiBase ?? stripeHost}/v1/webhook_endpoints?limit=100`, {
      headers: { authorization: `Bearer ${stripe.secretKey}` },
      signal: AbortSignal.timeout(patienceMs),
    })
    if (answer.status === 401)
      return [
        ...mode,
        wrong('stripe', 'the key is not valid; copy STRIPE_SECRET_KEY from the dashboard again.'),
      ]
    if (answer.status === 403)
      return [
        ...mode,
        note('stripe', 'the restricted key may not read webhook endpoints, so they were not checked.'),
      ]
    if (!answer.ok) throw new Error(`it answered ${answer.status}`)
    return [...mode, webhook(endpointsIn(await answer.json()), `${publicUrl}/webhooks/stripe`)]
  } catch (error) {
    return [
      ...mode,
      wrong(
        'stripe',
        `it cannot be reached (${reasonOf(error)}); check that this machine may connect to it.`,
      ),
    ]
  }
}
