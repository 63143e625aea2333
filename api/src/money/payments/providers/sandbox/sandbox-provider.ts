import { createHash, randomBytes } from 'node:crypto'
import { refundKey } from '#money/payments/job-keys.ts'
import type {
  DisputeAnswer,
  PaymentAsk,
  PaymentProvider,
  ProviderMethod,
  ProviderPayment,
  ProviderRefund,
  ProviderSetup,
  WebhookEvent,
} from '#money/payments/providers/payment-provider.ts'
import type { Clock } from '#platform/clock.ts'
import { sign, verify } from '#platform/webhook-signature.ts'
import { heldAt, movementsIn, payoutsIn } from './sandbox-balance.ts'
import { type Behaviour, challengedAtSetup, refusals, refusedAtOnce, sandboxCards } from './sandbox-cards.ts'
import {
  type Challenge,
  challengeUrlOf,
  disputeOf,
  orNull,
  paymentOf,
  refundOf,
  type SandboxBody,
  type SandboxObject,
  type SandboxStore,
  same,
  text,
  withAnswer,
} from './sandbox-objects.ts'

const slowMs = 60_000

export type EnteredCard = {
  readonly clientSecret: string
  readonly number: string
  readonly expMonth: number
  readonly expYear: number
}

const secretOf = (): string => randomBytes(24).toString('base64url')
const newRef = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`

/** A payment provider inside the portal: it accepts listed numbers only, and no money moves. */
export class SandboxProvider implements PaymentProvider {
  readonly id = 'sandbox'
  readonly publishableKey = null
  readonly #store: SandboxStore
  readonly #clock: Clock
  readonly #secret: string
  readonly #publicUrl: string

  /** @param secret signs the messages that the sandbox sends to the portal. */
  constructor(parts: { store: SandboxStore; clock: Clock; secret: string; publicUrl: string }) {
    this.#store = parts.store
    this.#clock = parts.clock
    this.#secret = parts.secret
    this.#publicUrl = parts.publicUrl
  }

  async createCustomer(who: { clientId: number; idempotencyKey: string }): Promise<string> {
    const object = { ref: newRef('cus'), kind: 'customer', body: { clientId: who.clientId } } as const
    return (await this.#store.make(object, who.idempotencyKey)).ref
  }

  async createSetup(ask: {
    setupId: number
    customerRef: string
    idempotencyKey: string
  }): Promise<ProviderSetup> {
    const body = {
      setupId: ask.setupId,
      customerRef: ask.customerRef,
      status: 'requires_action',
      secret: secretOf(),
    }
    const made = await this.#store.make({ ref: newRef('seti'), kind: 'setup', body }, ask.idempotencyKey)
    return this.#setup(made)
  }

  async getSetup(ref: string): Promise<ProviderSetup> {
    return this.#setup(await this.#known(ref))
  }

  async getMethod(ref: string): Promise<ProviderMethod | null> {
    const found = await this.#store.get(ref)
    if (!found || found.body.detached === true) return null
    const { body } = found
    return {
      ref,
      customerRef: text(body, 'customerRef'),
      brand: 'visa',
      last4: text(body, 'last4'),
      expMonth: Number(body.expMonth),
      expYear: Number(body.expYear),
      country: 'RO',
      fingerprint: text(body, 'fingerprint'),
    }
  }

  async detachMethod(ref: string): Promise<void> {
    await this.#store.change(ref, (body) => ({ ...body, detached: true }))
  }

  async createPayment(ask: PaymentAsk): Promise<ProviderPayment> {
    const method = await this.#known(ask.methodRef)
    const body: SandboxBody = {
      paymentId: ask.paymentId,
      amount: ask.amount,
      currency: ask.currency,
      methodRef: ask.methodRef,
      last4: text(method.body, 'last4'),
      behaviour: text(method.body, 'behaviour'),
      token: secretOf(),
      ...this.#charged(method.body),
    }
    const made = await this.#store.make({ ref: newRef('pi'), kind: 'payment', body }, ask.idempotencyKey)
    await this.#store.announce('payment.updated', made.ref)
    return paymentOf(made, this.#publicUrl)
  }

  #charged(method: SandboxBody): SandboxBody {
    // The store holds this class's own data.
    const behaviour = text(method, 'behaviour') as Behaviour
    const refusal = method.detached === true ? refusals.declined : refusals[behaviour]
    if (refusal) return { status: 'failed', failureCode: refusal[0], failureMessage: refusal[1] }
    if (behaviour === 'challenge') return { status: 'requires_action' }
    if (behaviour === 'slow')
      return { status: 'processing', readyAt: new Date(this.#clock.now().getTime() + slowMs).toISOString() }
    return { status: 'succeeded' }
  }

  async getPayment(ref: string): Promise<ProviderPayment> {
    const now = this.#clock.now().toISOString()
    const ready = (body: SandboxBody) =>
      body.status === 'processing' && text(body, 'readyAt') <= now ? { ...body, status: 'succeeded' } : null
    const found = await this.#store.change(ref, ready)
    return paymentOf(found ?? (await this.#known(ref)), this.#publicUrl)
  }

  async findPayment({ idempotencyKey }: PaymentAsk): Promise<ProviderPayment | undefined> {
    const found = await this.#store.byKey(idempotencyKey)
    return found && this.getPayment(found.ref)
  }

  async cancelPayment(ref: string): Promise<ProviderPayment> {
    const cancel = (body: SandboxBody) =>
      body.status === 'requires_action' || body.status === 'failed' ? { ...body, status: 'canceled' } : null
    await this.#store.change(ref, cancel)
    return this.getPayment(ref)
  }

  async refund(ask: { paymentRef: string; amount: string; idempotencyKey: string }): Promise<ProviderRefund> {
    const body = { paymentRef: ask.paymentRef, amount: ask.amount, status: 'succeeded' }
    const made = await this.#store.make({ ref: newRef('re'), kind: 'refund', body }, ask.idempotencyKey)
    await this.#store.announce('refund.updated', made.ref)
    return refundOf(made)
  }

  async findRefund(_paymentRef: string, refundId: number): Promise<ProviderRefund | undefined> {
    const found = await this.#store.byKey(refundKey(refundId))
    return found && refundOf(found)
  }

  async getRefund(ref: string): Promise<ProviderRefund> {
    return refundOf(await this.#known(ref))
  }

  async getDispute(ref: string) {
    const dispute = await this.#known(ref)
    return disputeOf(dispute, (await this.getPayment(text(dispute.body, 'paymentRef'))).currency)
  }

  async answerDispute({ ref, text: said }: DisputeAnswer): Promise<boolean> {
    return (await this.#store.change(ref, withAnswer(said))) !== undefined
  }

  movements(from: Date, until: Date) {
    return movementsIn(this.#store, from, until)
  }

  transfers(from: Date, until: Date) {
    return payoutsIn(this.#store, from, until)
  }

  holds() {
    return heldAt(this.#store, this.#clock.now())
  }

  /** Enters a card in the sandbox's form. Undefined: no such setup intent; null: an unlisted number. */
  async enterCard(setupRef: string, card: EnteredCard): Promise<ProviderSetup | null | undefined> {
    const setup = await this.#store.get(setupRef)
    if (setup?.kind !== 'setup' || !same(text(setup.body, 'secret'), card.clientSecret)) return undefined
    const behaviour = sandboxCards[card.number]
    if (behaviour === undefined) return null
    const last4 = card.number.slice(-4)
    const body = {
      customerRef: text(setup.body, 'customerRef'),
      behaviour,
      last4,
      expMonth: card.expMonth,
      expYear: card.expYear,
      fingerprint: createHash('sha256').update(`sandbox ${card.number}`).digest('hex').slice(0, 16),
    }
    const method = await this.#store.make({ ref: newRef('pm'), kind: 'method', body }, `card:${newRef('n')}`)
    const changed = await this.#store.change(setupRef, (now) => {
      if (now.status === 'succeeded' || now.status === 'canceled') return null
      const shared = { ...now, methodRef: method.ref, last4, errorCode: null, token: secretOf() }
      if (refusedAtOnce(behaviour))
        return { ...shared, status: 'failed', errorCode: refusals[behaviour]?.[0] ?? null }
      return { ...shared, status: challengedAtSetup(behaviour) ? 'requires_action' : 'succeeded' }
    })
    await this.#store.announce('setup.updated', setupRef)
    return changed ? this.#setup(changed) : this.getSetup(setupRef)
  }

  /** The content of a challenge; undefined for an unknown address. */
  async challenge(ref: string, token: string): Promise<Challenge | undefined> {
    const found = await this.#store.get(ref)
    if (!found || (found.kind !== 'setup' && found.kind !== 'payment')) return undefined
    const { kind, body } = found
    if (!same(text(body, 'token'), token) || token === '') return undefined
    return {
      kind,
      open: body.status === 'requires_action',
      amount: orNull(body, 'amount'),
      currency: orNull(body, 'currency'),
      last4: text(body, 'last4'),
      id: Number(kind === 'setup' ? body.setupId : body.paymentId),
    }
  }

  /** Records the person's answer to a challenge; the first answer is final. */
  async answerChallenge(ref: string, confirmed: boolean): Promise<void> {
    const failed = {
      status: 'failed',
      failureCode: 'authentication_failed',
      errorCode: 'authentication_failed',
      failureMessage: 'The payment was not confirmed.',
    }
    const changed = await this.#store.change(ref, (body) =>
      body.status === 'requires_action'
        ? { ...body, ...(confirmed ? { status: 'succeeded' } : failed) }
        : null,
    )
    if (changed) await this.#store.announce(`${changed.kind}.updated`, ref)
  }

  /** A message to the portal, signed like a real provider's. */
  webhook(event: { id: string; type: string; ref: string }): {
    body: string
    headers: Record<string, string>
  } {
    const body = JSON.stringify(event)
    return { body, headers: { ...sign([this.#secret], body, { id: event.id, at: this.#clock.now() }) } }
  }

  maySign(headers: Readonly<Record<string, string | string[] | undefined>>): boolean {
    return typeof headers['webhook-signature'] === 'string'
  }

  async parseWebhook(
    raw: Buffer,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): Promise<WebhookEvent | undefined> {
    if (verify([this.#secret], raw, headers) !== 'genuine') return undefined
    // Only the sandbox knows the secret, so it wrote this.
    const event = JSON.parse(raw.toString()) as { id: string; type: string; ref: string }
    const about = event.type.split('.')[0]
    const known = ['payment', 'setup', 'refund', 'dispute'] as const
    return {
      eventId: event.id,
      type: event.type,
      about: known.find((one) => one === about) ?? 'other',
      objectRef: event.ref,
      createdAt: this.#clock.now(),
    }
  }

  async #known(ref: string): Promise<SandboxObject> {
    const found = await this.#store.get(ref)
    if (!found) throw new Error(`The sandbox has no object ${ref}.`)
    return found
  }

  async #setup(object: SandboxObject): Promise<ProviderSetup> {
    const { ref, body } = object
    const methodRef = orNull(body, 'methodRef')
    return {
      ref,
      // The store holds this class's own data.
      status: text(body, 'status') as ProviderSetup['status'],
      clientSecret: orNull(body, 'secret'),
      challengeUrl: challengeUrlOf(object, this.#publicUrl),
      method: body.status === 'succeeded' && methodRef !== null ? await this.getMethod(methodRef) : null,
      errorCode: orNull(body, 'errorCode'),
    }
  }
}
