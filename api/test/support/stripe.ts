import { createHmac, randomUUID } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { violationsOf } from './stripe-requests.ts'

// A server with the part of Stripe's API that the portal uses, which fails on request.

type Fields = Readonly<Record<string, string>>
type Thing = Record<string, unknown> & { id: string }

/** `*_after`: the request was carried out, and its answer is lost or wrong; `*_before`: it was not. */
export type Fault = 'reset_after' | '500_after' | 'timeout_before' | 'reset_before'

/** The behaviour of a card when it is charged. */
export type CardKind = 'ok' | 'decline' | 'sca'

type Answer = { status: number; body: unknown }

const secret = 'whsec_current000'
const olderSecret = 'whsec_older00000'

/** The portal's settings for this server. */
export const stripeSettings = (apiBase: string) => ({
  secretKey: 'sk_test_12345678',
  publishableKey: 'pk_test_12345678',
  webhookSecrets: [secret, olderSecret],
  apiBase,
})

const id = (prefix: string) => `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 24)}`

/** What the stand-in takes for a charge, in the smallest units of its account. */
const chargeFee = (amount: unknown): number => Math.round(Number(amount) * 0.015) + 25

/** The lei of an account for dollars. */
const inBani = (amount: unknown): number => Math.round(Number(amount) * 4.5)

const fault = (status: number, error: Fields | object): Answer => ({ status, body: { error } })

/** The signature that Stripe sends with a body. */
export function signatureOf(body: string, more: { secret?: string; at?: number } = {}): string {
  const at = more.at ?? Math.floor(Date.now() / 1000)
  const mac = createHmac('sha256', more.secret ?? secret)
    .update(`${at}.${body}`)
    .digest('hex')
  return `t=${at},v1=${mac}`
}

export class StripeServer {
  /** Every request: what was asked, with which key, which fields. */
  readonly requests: {
    method: string
    path: string
    key: string | undefined
    version: string
    fields: Fields
  }[] = []
  /** Requests that violate Stripe's rules; tests expect none. */
  readonly violations: string[] = []
  /** The initial status of a refund; a slow bank leaves it pending. */
  refundsAre: 'succeeded' | 'pending' | 'failed' = 'succeeded'
  readonly things = new Map<string, Thing>()
  /** The age of all balance transactions. */
  movedHoursAgo = 1
  readonly #answers = new Map<string, { fields: string; answer: Answer }>()
  #faults: { path: RegExp; fault: Fault | (() => unknown) }[] = []
  readonly #server = http.createServer((request, response) => void this.#serve(request, response))

  /** Listens on the loopback until it is closed; returns its origin. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    // A server that listens on TCP has such an address.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  /** Has something happen when the next request of a path was carried out, before it is answered. */
  interruptNext(path: RegExp, happening: () => unknown): void {
    this.#faults.push({ path, fault: happening })
  }

  /** Has the next requests of a path fail, each in its way. */
  failNext(path: RegExp, ...faults: readonly Fault[]): void {
    this.#faults.push(...faults.map((one) => ({ path, fault: one })))
  }

  /** The person filled in the form of a request: it has a card now. */
  fillIn(setupId: string, kind: CardKind = 'ok', number = '4242'): void {
    const setup = this.#known(setupId)
    const method: Thing = {
      id: id('pm'),
      object: 'payment_method',
      customer: setup.customer,
      kind,
      card: {
        brand: 'visa',
        last4: number,
        exp_month: 12,
        exp_year: 2040,
        country: 'RO',
        fingerprint: `fp${number}${kind}`,
      },
    }
    this.things.set(method.id, method)
    Object.assign(setup, { status: 'succeeded', payment_method: method.id })
  }

  /** The bank, or the person, decided about a payment. */
  decide(paymentId: string, status: 'succeeded' | 'requires_payment_method', code = 'card_declined'): void {
    const intent = this.#known(paymentId)
    Object.assign(intent, { status, ...(status === 'succeeded' && { amount_received: intent.amount }) })
    if (status !== 'succeeded') intent.last_payment_error = { code, message: 'Declined.' }
  }

  /** The charges by payments.id, to count how often a person was charged. */
  charges(paymentId: number | string): Thing[] {
    return [...this.things.values()].filter(
      ({ object, metadata }) =>
        object === 'payment_intent' && Object(metadata).payment_id === String(paymentId),
    )
  }

  /** The refunds of a payment. */
  refunds(paymentRef: string): Thing[] {
    return [...this.things.values()].filter(
      ({ object, payment_intent }) => object === 'refund' && payment_intent === paymentRef,
    )
  }

  /** Staff give money back at Stripe's own page, in cents. */
  giveBack(paymentRef: string, amount: number): string {
    const refund = { id: id('re'), object: 'refund', status: 'succeeded', amount, payment_intent: paymentRef }
    this.things.set(refund.id, { ...refund, metadata: {} })
    return refund.id
  }

  /** A day goes by: what was asked with a key is asked as if for the first time. */
  forgetAnswers(): void {
    this.#answers.clear()
  }

  /** A key was used for a request that the portal does not know. */
  useKey(key: string): void {
    this.#answers.set(key, { fields: 'of another request', answer: { status: 200, body: {} } })
  }

  /** A message as Stripe would send it. */
  event(type: string, object: object, more: { id?: string; secret?: string; at?: number } = {}) {
    const body = JSON.stringify({
      id: more.id ?? id('evt'),
      object: 'event',
      type,
      created: Math.floor(Date.now() / 1000),
      data: { object },
    })
    return { body, signature: signatureOf(body, more) }
  }

  static readonly olderSecret = olderSecret

  #known(thingId: string): Thing {
    const found = this.things.get(thingId)
    if (!found) throw new Error(`Stripe knows nothing of ${thingId}.`)
    return found
  }

  async #serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://stripe')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const text = Buffer.concat(chunks).toString()
    const fields: Fields = Object.fromEntries([...url.searchParams, ...new URLSearchParams(text)])
    const method = request.method ?? 'GET'
    const key = request.headers['idempotency-key']
    this.requests.push({
      method,
      path: url.pathname,
      key: typeof key === 'string' ? key : undefined,
      version: String(request.headers['stripe-version']),
      fields,
    })
    this.violations.push(
      ...violationsOf({ method, path: url.pathname, headers: request.headers, text, fields }),
    )
    const at = this.#faults.findIndex(({ path }) => path.test(`${method} ${url.pathname}`))
    const planned = at < 0 ? undefined : this.#faults.splice(at, 1)[0]?.fault
    if (planned === 'reset_before') return void request.socket.destroy()
    if (planned === 'timeout_before') return
    const isKnown = !String(request.headers.authorization).includes('_unknown')
    const answer = isKnown
      ? this.#once(method, url.pathname, fields, typeof key === 'string' ? key : undefined)
      : fault(401, { type: 'invalid_request_error', message: 'Invalid API Key provided' })
    if (typeof planned === 'function') await planned()
    if (planned === 'reset_after') return void request.socket.destroy()
    const { status, body } =
      planned === '500_after' ? fault(500, { type: 'api_error', message: 'Try again.' }) : answer
    response.writeHead(status, { 'content-type': 'application/json', 'request-id': id('req') })
    response.end(JSON.stringify(body))
  }

  /** The same key is answered the same, an error too; with other fields it is refused. */
  #once(method: string, path: string, fields: Fields, key: string | undefined): Answer {
    if (method !== 'POST' || key === undefined) return this.#answer(method, path, fields)
    const text = JSON.stringify([path, fields])
    const known = this.#answers.get(key)
    if (known && known.fields !== text)
      return fault(400, { type: 'idempotency_error', message: 'The key was used with other parameters.' })
    const answer = known?.answer ?? structuredClone(this.#answer(method, path, fields))
    this.#answers.set(key, { fields: text, answer })
    return answer
  }

  #answer(method: string, path: string, fields: Fields): Answer {
    const [, , type = '', thing = '', verb] = path.split('/')
    if (method === 'GET' && type === 'balance') return this.#balance()
    if (method === 'GET' && type === 'balance_transactions')
      return this.#moved(Number(fields['created[gte]']))
    if (method === 'GET' && type === 'refunds' && thing === '') return this.#refunds(fields)
    if (method === 'GET' && type === 'disputes' && thing === '')
      return {
        status: 200,
        body: { object: 'list', url: path, data: this.#disputes(fields.payment_intent), has_more: false },
      }
    if (method === 'GET' && type === 'webhook_endpoints')
      return { status: 200, body: { object: 'list', url: path, data: [], has_more: false } }
    if (method === 'GET' && thing === 'search') return this.#search(fields)
    if (method === 'GET') return this.#read(thing, fields)
    switch (`${type}/${verb ?? ''}`) {
      case 'customers/':
        return this.#keep({ id: id('cus'), object: 'customer', email: fields.email })
      case 'setup_intents/':
        return this.#setup(fields)
      case 'payment_intents/':
        return this.#pay(fields)
      case 'payment_intents/cancel':
        return this.#cancel(thing)
      case 'payment_methods/detach':
        return this.#detach(thing)
      case 'disputes/':
        return this.#evidence(thing, fields)
      case 'refunds/':
        return this.#keep({
          id: id('re'),
          object: 'refund',
          status: this.refundsAre,
          metadata: { refund_id: fields['metadata[refund_id]'] },
          amount: Number(fields.amount),
          payment_intent: fields.payment_intent,
        })
      default:
        return fault(404, { type: 'invalid_request_error', message: `Unrecognized request URL ${path}` })
    }
  }

  /** Evidence is taken once, while the dispute waits for it. */
  #evidence(thing: string, fields: Fields): Answer {
    const dispute = this.#known(thing)
    if (dispute.status !== 'needs_response')
      return fault(400, { type: 'invalid_request_error', message: 'This dispute takes no evidence.' })
    Object.assign(dispute, { status: 'under_review', evidence: fields })
    return { status: 200, body: dispute }
  }

  #keep(thing: Thing): Answer {
    this.things.set(thing.id, thing)
    return { status: 200, body: thing }
  }

  #read(thing: string, fields: Fields): Answer {
    const found = this.things.get(thing)
    if (!found)
      return fault(404, {
        type: 'invalid_request_error',
        code: 'resource_missing',
        message: 'No such object',
      })
    const asked = Object.values(fields)
    const method = typeof found.payment_method === 'string' && this.things.get(found.payment_method)
    if (asked.includes('payment_method') && method)
      return { status: 200, body: { ...found, payment_method: method } }
    if (asked.includes('latest_charge'))
      return { status: 200, body: { ...found, latest_charge: this.#chargeOf(found) } }
    return { status: 200, body: found }
  }

  #disputes(paymentRef: unknown): Thing[] {
    return [...this.things.values()].filter(
      ({ object, payment_intent }) => object === 'dispute' && payment_intent === paymentRef,
    )
  }

  /** The charge of a payment that succeeded, with what was given back of it. */
  #chargeOf({ id: ref, status, charged_at: at }: Thing): object | null {
    if (status !== 'succeeded') return null
    const refunds = this.refunds(ref).filter((refund) => refund.status !== 'failed')
    return {
      id: `ch_${ref}`,
      object: 'charge',
      created: at ?? Math.floor(Date.now() / 1000),
      amount_refunded: refunds.reduce((sum, { amount }) => sum + Number(amount), 0),
      disputed: this.#disputes(ref).length > 0,
    }
  }

  #search({ query = '' }: Fields): Answer {
    const wanted = /^metadata\["payment_id"\]:"(\d+)"$/.exec(query)?.[1] ?? ''
    return { status: 200, body: { object: 'search_result', data: this.charges(wanted), has_more: false } }
  }

  #refunds(fields: Fields): Answer {
    const data = this.refunds(fields.payment_intent ?? '')
    return { status: 200, body: { object: 'list', url: '/v1/refunds', data, has_more: false } }
  }

  /** What it took for all charges, in bani. */
  get chargeFees(): number {
    const charges = [...this.things.values()].filter(
      ({ object, status }) => object === 'payment_intent' && status === 'succeeded',
    )
    return charges.reduce((sum, { amount_received: amount }) => sum + chargeFee(amount), 0)
  }

  /** Bani that it paid out to the bank, or took for itself. */
  readonly sent: { readonly type: 'payout' | 'stripe_fee'; readonly amount: number }[] = []

  /** The balance transactions since a moment, with the fee of each as Stripe lists it. */
  #moved(since: number): Answer {
    const created = Math.floor(Date.now() / 1000) - this.movedHoursAgo * 3600
    const data = created < since ? [] : this.#transactions(created)
    return { status: 200, body: { object: 'list', url: '/v1/balance_transactions', data, has_more: false } }
  }

  #transactions(created: number) {
    const all = [...this.things.values()].filter(({ status }) => status === 'succeeded')
    const line = (type: string, ref: string, bani: number, source: object | null, fee = 0) => ({
      object: 'balance_transaction',
      id: `txn_${type}_${ref}`,
      created,
      currency: 'ron',
      type,
      amount: bani,
      source,
      fee,
    })
    const charges = all
      .filter(({ object }) => object === 'payment_intent')
      .map(({ id: ref, amount_received: amount, currency, customer }) =>
        line(
          'charge',
          ref,
          inBani(amount),
          { object: 'charge', id: id('ch'), amount, currency, customer, payment_intent: ref },
          chargeFee(amount),
        ),
      )
    const refunds = [...this.things.values()]
      .filter(({ object, status }) => object === 'refund' && status !== 'pending')
      .flatMap((thing) => {
        const source = { ...thing, currency: 'usd' }
        const bani = inBani(thing.amount)
        const failed = thing.status === 'failed' ? [line('refund_failure', thing.id, bani, source)] : []
        return [line('refund', thing.id, -bani, source), ...failed]
      })
    const own = this.sent.map(({ type, amount }, at) => line(type, String(at), -amount, null))
    return [...charges, ...refunds, ...own, line('stripe_fee', 'none', 0, null)]
  }

  /** The sum of all transactions, which the account has in lei. */
  #balance(): Answer {
    const amount = this.#transactions(0).reduce((sum, one) => sum + one.amount - one.fee, 0)
    const held = (amount: number) => [{ amount, currency: 'ron' }]
    return { status: 200, body: { object: 'balance', available: held(amount - 100), pending: held(100) } }
  }

  #setup(fields: Fields): Answer {
    const setup = {
      id: id('seti'),
      object: 'setup_intent',
      status: 'requires_payment_method',
      client_secret: id('secret'),
      customer: fields.customer,
      usage: fields.usage,
      payment_method: null,
      last_setup_error: null,
    }
    return this.#keep(setup)
  }

  #pay(fields: Fields): Answer {
    const method = this.things.get(fields.payment_method ?? '')
    if (!method || method.customer !== fields.customer)
      return fault(400, { type: 'invalid_request_error', code: 'payment_method_invalid', message: 'No.' })
    const intent: Thing = {
      id: id('pi'),
      object: 'payment_intent',
      amount: Number(fields.amount),
      amount_received: 0,
      currency: fields.currency,
      customer: fields.customer,
      client_secret: id('secret'),
      metadata: { payment_id: fields['metadata[payment_id]'] },
      last_payment_error: null,
      status: 'succeeded',
    }
    this.things.set(intent.id, intent)
    const offSession = fields.off_session === 'true'
    if (method.kind === 'ok') intent.amount_received = intent.amount
    else if (method.kind === 'sca' && !offSession) intent.status = 'requires_action'
    else {
      const code = method.kind === 'sca' ? 'authentication_required' : 'card_declined'
      intent.status = 'requires_payment_method'
      intent.last_payment_error = { code, decline_code: code, message: 'Your card was declined.' }
      return fault(402, {
        type: 'card_error',
        code,
        decline_code: code,
        message: 'No.',
        payment_intent: intent,
      })
    }
    return { status: 200, body: intent }
  }

  #detach(thing: string): Answer {
    const method = this.things.get(thing)
    if (!method?.customer)
      return fault(method ? 400 : 404, { type: 'invalid_request_error', message: 'It is not attached.' })
    return this.#keep(Object.assign(method, { customer: null }))
  }

  #cancel(thing: string): Answer {
    const intent = this.#known(thing)
    if (intent.status === 'succeeded')
      return fault(400, {
        type: 'invalid_request_error',
        code: 'payment_intent_unexpected_state',
        message: 'No.',
      })
    return this.#keep(Object.assign(intent, { status: 'canceled' }))
  }
}
