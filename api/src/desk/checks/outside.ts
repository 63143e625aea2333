import { randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import type { SettingKey } from '@portico/contract/resources/operator-settings.ts'
import type { Env } from '#config/env.ts'
import { stripeVersion } from '#config/stripe-version.ts'
import { failureMessage } from '#platform/errors/failure-message.ts'
import { filePartsOf } from '#platform/files/file-parts.ts'
import { smtpProblem } from '#platform/mail/transport/smtp-mailer.ts'
import { smtpServer } from '#platform/mail/transport/smtp-server.ts'
import { type Finding, good, hint, stop, warn } from './finding.ts'

/** Where a setting is changed: at the desk, or by its variable. */
const placeOf = ({ fromDesk }: Env, key: SettingKey): string =>
  fromDesk.includes(key) ? '/desk/settings' : key

/** Connects to the mail server and signs in; sends nothing. */
export async function checkMail(env: Env): Promise<Finding> {
  const { smtpUrl } = env
  if (smtpUrl === undefined)
    return env.seed === 'demo'
      ? good(
          'mail',
          'letters of the demo are kept for its outbox page.',
          'mesajele demonstrației rămân pe pagina ei de ieșiri.',
        )
      : stop(
          'mail',
          'no letter is sent, so an administrator confirms the address of each new client by hand; enter the mail server at /desk/settings.',
          'nu se trimite niciun mesaj, deci un administrator confirmă de mână adresa fiecărui client nou; completează serverul de e-mail la /desk/settings.',
        )
  const problem = await smtpProblem(smtpServer(env, smtpUrl))
  return problem === undefined
    ? good(
        'mail',
        'the mail server accepts the connection and the credentials.',
        'serverul de e-mail acceptă conexiunea și datele de acces.',
      )
    : stop(
        'mail',
        `the mail server cannot be used (${problem}); check ${placeOf(env, 'SMTP_URL')}.`,
        `serverul de e-mail nu poate fi folosit (${problem}); verifică ${placeOf(env, 'SMTP_URL')}.`,
      )
}

/** Writes, reads and removes a small file. */
export async function checkFiles(env: Env): Promise<Finding> {
  const folder = path.join(env.dataDir, 'files')
  const where = env.s3
    ? { en: `the bucket ${env.s3.bucket}`, ro: `bucketul ${env.s3.bucket}` }
    : { en: `the folder ${folder}`, ro: `dosarul ${folder}` }
  const settings = env.s3
    ? { en: 'the S3_ variables and the rights of the key', ro: 'variabilele S3_ și drepturile cheii' }
    : { en: 'DATA_DIR and its owner', ro: 'DATA_DIR și proprietarul lui' }
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
      ? good('files', `${where.en} stores and returns files.`, `${where.ro} păstrează și redă fișiere.`)
      : stop(
          'files',
          `${where.en} does not return what was stored; check ${settings.en}.`,
          `${where.ro} nu redă ce a fost scris; verifică ${settings.ro}.`,
        )
  } catch (error) {
    const reason = failureMessage(error)
    return stop(
      'files',
      `${where.en} cannot be used (${reason}); check ${settings.en}.`,
      `${where.ro} nu poate fi folosit (${reason}); verifică ${settings.ro}.`,
    )
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
    return warn(
      'stripe',
      `no enabled webhook endpoint leads to ${address}; add it in the dashboard of Stripe.`,
      `niciun webhook activ nu duce la ${address}; adaugă-l în contul Stripe.`,
    )
  const events = Array.isArray(ours.enabled_events) ? ours.enabled_events.map(String) : []
  const missing = families.filter((family) => !events.some((one) => one === '*' || one.startsWith(family)))
  return missing.length === 0
    ? good(
        'stripe',
        'the key is valid, and the webhook endpoint receives the events.',
        'cheia este validă, iar webhookul primește evenimentele.',
      )
    : warn(
        'stripe',
        `the webhook endpoint lacks the events ${missing.map((one) => `${one}*`).join(', ')}; add them at Stripe.`,
        `webhookului îi lipsesc evenimentele ${missing.map((one) => `${one}*`).join(', ')}; adaugă-le la Stripe.`,
      )
}

const sandbox = hint(
  'payments',
  'the sandbox takes test cards only, and no money moves; an administrator enters the keys of Stripe at /desk/settings.',
  'modul de probă acceptă doar carduri de test și nu se mișcă bani; un administrator completează cheile Stripe la /desk/settings.',
)

const closed = stop(
  'payments',
  'no card is charged, because no provider is configured; an administrator enters the keys of Stripe at /desk/settings.',
  'nu se încasează cu cardul, pentru că nu este configurat niciun procesator; un administrator completează cheile Stripe la /desk/settings.',
)

const testKey = hint(
  'stripe',
  'the key is a test key, so no money moves.',
  'cheia este una de test, deci nu se mișcă bani.',
)

type Stripe = NonNullable<Env['stripe']>

async function keyAndWebhook(
  { secretKey, apiBase }: Stripe,
  address: string,
  place: string,
): Promise<Finding> {
  const answer = await fetch(`${apiBase ?? stripeHost}/v1/webhook_endpoints?limit=100`, {
    headers: { authorization: `Bearer ${secretKey}`, 'stripe-version': stripeVersion },
    signal: AbortSignal.timeout(patienceMs),
  })
  if (answer.status === 401)
    return stop(
      'stripe',
      `the key is not valid; copy it from the dashboard of Stripe to ${place} again.`,
      `cheia nu este validă; copiaz-o din nou din contul Stripe în ${place}.`,
    )
  if (answer.status === 403)
    return hint(
      'stripe',
      'the restricted key may not read webhook endpoints, so they were not checked.',
      'cheia restricționată nu poate citi webhookurile, deci nu au fost verificate.',
    )
  if (!answer.ok) throw new Error(`it answered ${answer.status}`)
  return webhook(endpointsIn(await answer.json()), address)
}

/** Asks Stripe whether the key is valid and a webhook endpoint leads here. */
export async function checkStripe(env: Env): Promise<Finding[]> {
  const { stripe, publicUrl, seed } = env
  if (stripe === undefined && seed === 'demo') return []
  if (stripe === undefined) return [env.sandbox ? sandbox : closed]
  const mode = /_live_/.test(stripe.secretKey) ? [] : [testKey]
  try {
    return [
      ...mode,
      await keyAndWebhook(stripe, `${publicUrl}/webhooks/stripe`, placeOf(env, 'STRIPE_SECRET_KEY')),
    ]
  } catch (error) {
    const reason = failureMessage(error)
    return [
      ...mode,
      warn(
        'stripe',
        `it cannot be reached (${reason}); check that this machine may connect to it.`,
        `nu poate fi contactat (${reason}); verifică dacă acest server se poate conecta la el.`,
      ),
    ]
  }
}
