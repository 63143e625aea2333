import type { IncomingHttpHeaders } from 'node:http'

// The fields that Stripe's API reference lists for the operations that the portal uses; other fields are unknown there.
// A name in brackets, as in metadata[payment_id], is a field of the object before it.

type Fields = Readonly<Record<string, string>>

type Operation = {
  readonly required: readonly string[]
  /** The format of each field. */
  readonly fields: Readonly<Record<string, RegExp>>
  /** The pattern of its Idempotency-Key, which is derived from the row. */
  readonly key?: RegExp
}

const id = (prefix: string) => new RegExp(`^${prefix}_\\w{1,250}$`)
const text = /^.{1,5000}$/s
const yes = /^true$/
const cents = /^[1-9]\d{0,7}$/
const row = /^[1-9]\d*$/

const operations: readonly (readonly [pattern: RegExp, operation: Operation])[] = [
  [
    /^POST \/v1\/customers$/,
    {
      required: [],
      fields: { email: /^.{1,512}$/, name: /^.{0,256}$/, 'metadata[client_id]': row },
      key: /^customer:\d+$/,
    },
  ],
  [
    /^POST \/v1\/setup_intents$/,
    {
      required: [],
      fields: {
        customer: id('cus'),
        usage: /^(off|on)_session$/,
        'allowed_payment_method_types[0]': /^card$/,
        'metadata[setup_id]': row,
        'expand[0]': text,
      },
      key: /^setup:\d+$/,
    },
  ],
  [
    /^POST \/v1\/payment_intents$/,
    {
      required: ['amount', 'currency'],
      fields: {
        amount: cents,
        currency: /^[a-z]{3}$/,
        customer: id('cus'),
        payment_method: id('pm'),
        'allowed_payment_method_types[0]': /^card$/,
        confirm: yes,
        off_session: yes,
        use_stripe_sdk: yes,
        'metadata[payment_id]': row,
      },
      key: /^pay:\d+$/,
    },
  ],
  [/^POST \/v1\/payment_intents\/pi_\w+\/cancel$/, { required: [], fields: {}, key: /^cancel:\d+$/ }],
  [/^POST \/v1\/payment_methods\/pm_\w+\/detach$/, { required: [], fields: {}, key: /^detach:pm_\w+$/ }],
  [
    /^POST \/v1\/refunds$/,
    {
      required: [],
      fields: { payment_intent: id('pi'), amount: cents, 'metadata[refund_id]': row },
      key: /^refund:\d+$/,
    },
  ],
  [
    /^POST \/v1\/disputes\/dp_\w+$/,
    {
      required: [],
      fields: {
        'evidence[uncategorized_text]': /^.{1,20000}$/s,
        'evidence[customer_name]': text,
        'evidence[customer_email_address]': text,
        submit: yes,
      },
      key: /^dispute:\d+:answer:\w+$/,
    },
  ],
  [
    /^GET \/v1\/refunds$/,
    {
      required: [],
      fields: { payment_intent: id('pi'), limit: /^\d{1,2}$|^100$/, starting_after: id('re') },
    },
  ],
  [
    /^GET \/v1\/payment_intents\/search$/,
    { required: ['query'], fields: { query: text, limit: /^\d{1,2}$|^100$/ } },
  ],
  [/^GET \/v1\/balance$/, { required: [], fields: {} }],
  [/^GET \/v1\/webhook_endpoints$/, { required: [], fields: { limit: /^\d{1,2}$|^100$/ } }],
  [/^GET \/v1\/setup_intents\/seti_\w+$/, { required: [], fields: { 'expand[0]': text } }],
  [/^GET \/v1\/payment_intents\/pi_\w+$/, { required: [], fields: { 'expand[0]': /^latest_charge$/ } }],
  [/^GET \/v1\/(payment_methods|refunds|disputes)\/[a-z]+_\w+$/, { required: [], fields: {} }],
  [
    /^GET \/v1\/disputes$/,
    {
      required: [],
      fields: { payment_intent: id('pi'), limit: /^\d{1,2}$|^100$/, starting_after: id('dp') },
    },
  ],
  [
    /^GET \/v1\/balance_transactions$/,
    {
      required: [],
      fields: {
        'created[gte]': row,
        'created[lt]': row,
        'expand[0]': text,
        limit: /^\d{1,2}$|^100$/,
        starting_after: id('txn'),
      },
    },
  ],
]

/** Digits that would be a card’s number, which never may be sent; ids have letters around theirs. */
const cardNumber = /(?<!\w)\d{13,19}(?!\w)/

type Request = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly fields: Fields
}

function wrongFields({ required, fields: known }: Operation, sent: Fields): string[] {
  const missing = required.filter((name) => sent[name] === undefined).map((name) => `${name} is missing`)
  const wrong = Object.entries(sent).flatMap(([name, value]) => {
    const shape = known[name]
    if (!shape) return [`${name} is no field of it`]
    return shape.test(value) ? [] : [`${name} is ${value}`]
  })
  return [...missing, ...wrong]
}

function wrongHeaders(method: string, headers: IncomingHttpHeaders, key: RegExp | undefined): string[] {
  const sent = headers['idempotency-key']
  const form = headers['content-type'] === 'application/x-www-form-urlencoded'
  return [
    ...(headers['stripe-version'] === '2026-10-28.endive' ? [] : ['its version is not the pinned one']),
    ...(/^Bearer (sk|rk)_/.test(String(headers.authorization)) ? [] : ['it carries no secret key']),
    ...(method === 'POST' && !form ? ['it is not form-encoded'] : []),
    ...(key && !key.test(String(sent)) ? [`its key is ${sent}, and not that of a row`] : []),
    ...(!key && sent !== undefined ? ['a key changes nothing here'] : []),
  ]
}

/** The violations of a request; empty when Stripe would accept it and a retry would be identical. */
export function violationsOf({ method, path, headers, text: body, fields }: Request): string[] {
  const name = `${method} ${path}`
  const operation = operations.find(([pattern]) => pattern.test(name))?.[1]
  const wrong = operation
    ? [...wrongFields(operation, fields), ...wrongHeaders(method, headers, operation.key)]
    : ['there is no such operation']
  if (cardNumber.test(body)) wrong.push('raw card number sent through the server')
  return wrong.map((what) => `${name}: ${what}`)
}
