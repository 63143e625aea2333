import type { SettingKey } from '@portico/contract/resources/operator-settings.ts'
import type { Env } from '#config/env.ts'
import { checks } from '#config/env-checks.ts'
import { productionSigns } from '#config/production-signs.ts'
import type { Stored } from '#config/stored-settings.ts'
import { stripeVersion } from '#config/stripe-version.ts'
import { allowedHosts, Forbidden, guardedAddress } from '#platform/egress.ts'
import { refuse } from '#platform/errors/problem.ts'
import { allowedFor } from '#platform/mail/transport/smtp-server.ts'
import type { Settings } from '#platform/settings/settings.ts'

const pointerTo = (key: SettingKey) => ({ source: { pointer: `/data/${key.toLowerCase()}` } })

/** Settings that are of use together alone; the first of each pair needs the second. */
const needed: readonly (readonly [SettingKey, SettingKey])[] = [
  ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY'],
  ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
  ['STRIPE_PUBLISHABLE_KEY', 'STRIPE_SECRET_KEY'],
  ['STRIPE_WEBHOOK_SECRET', 'STRIPE_SECRET_KEY'],
  ['IMAP_URL', 'REPLY_ADDRESS'],
]

/** Keys of an organization have one more part. */
const modeOf = (key: string): string => (/^[a-z]+(?:_org)?_live_/.test(key) ? 'live' : 'test')

/** Throws `setting_of_server`, `setting_invalid`: each value by itself. */
export function assertValues(changes: Stored, { byServer }: Settings): void {
  for (const key of Object.keys(changes) as SettingKey[]) {
    // The keys are those of the contract.
    if (byServer[key] !== undefined) throw refuse('setting_of_server', { name: key }, pointerTo(key))
    if (!checks[key].safeParse(changes[key]).success) throw refuse('setting_invalid', {}, pointerTo(key))
  }
}

/**
 * The configuration with all values together. Throws `setting_needed_too`, `stripe_modes_differ`, and `setting_of_real_portal` in
 * a demo, whose passwords are public.
 */
export function assertTogether(stored: Stored, settings: Settings): Env {
  const all: Stored = { ...stored, ...settings.byServer }
  for (const [one, other] of needed)
    if (all[one] !== undefined && all[other] === undefined)
      throw refuse('setting_needed_too', { name: one }, pointerTo(other))
  const { STRIPE_SECRET_KEY: secret, STRIPE_PUBLISHABLE_KEY: publishable } = all
  if (secret && publishable && modeOf(secret) !== modeOf(publishable))
    throw refuse('stripe_modes_differ', {}, pointerTo('STRIPE_PUBLISHABLE_KEY'))
  const [sign] = settings.env.seed === 'demo' ? productionSigns(all) : []
  if (sign !== undefined) throw refuse('setting_of_real_portal', {}, pointerTo(sign as SettingKey)) // Only settings are looked at.
  return settings.with(stored)
}

/**
 * Throws `setting_mail_host_private`, `setting_host_private`, `setting_host_unknown`: an address that a person enters leads to no
 * machine of the inner network. Each connection checks it again, because names change.
 */
export async function assertHosts(changes: Stored, env: Env): Promise<void> {
  for (const key of ['SMTP_URL', 'IMAP_URL'] as const) {
    const text = changes[key]
    if (text === undefined) continue
    const { hostname: host } = new URL(text)
    const allowed = key === 'SMTP_URL' ? allowedFor(text, env) : allowedHosts(env.engineAllowedHosts)
    await guardedAddress(host, allowed).catch((cause: unknown): never => {
      const at = { ...pointerTo(key), cause }
      if (!(cause instanceof Forbidden)) throw refuse('setting_host_unknown', { host }, at)
      if (key === 'SMTP_URL') throw refuse('setting_mail_host_private', { host }, at)
      throw refuse('setting_host_private', { host, name: key }, at)
    })
  }
}

const stripeHost = 'https://api.stripe.com'
const patienceMs = 8000

/**
 * Tries a new secret key. Throws `stripe_key_refused`. Where Stripe does not answer the key is taken, and the checks say so
 * later.
 */
export async function assertStripeKey(
  { STRIPE_SECRET_KEY: key }: Stored,
  { stripeApiBase }: Env,
): Promise<void> {
  if (key === undefined) return
  const answer = await fetch(`${stripeApiBase ?? stripeHost}/v1/webhook_endpoints?limit=1`, {
    headers: { authorization: `Bearer ${key}`, 'stripe-version': stripeVersion },
    signal: AbortSignal.timeout(patienceMs),
  }).catch(() => undefined)
  if (answer?.status === 401) throw refuse('stripe_key_refused', {}, pointerTo('STRIPE_SECRET_KEY'))
}
