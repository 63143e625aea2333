import { expect, test } from 'vitest'
import { type Answer, ReferenceEngine } from '../example/engine.ts'
import type { Fields } from '../example/offers.ts'
import { type Call, failures, type Parts } from './serve.ts'

const about = (id: string): Call => ({ parts: [id], query: new URLSearchParams(), body: {} })

class Accusing extends ReferenceEngine {
  override read(call: Call): Answer {
    const answer = super.read(call)
    const reasons = [{ code: 'load', since: '2026-01-05T09:00:00Z', resource: 'server/of-another-panel' }]
    return { ...answer, body: { ...Object(answer.body), reasons } }
  }

  override create(asked: Fields): Answer {
    const made = super.create(asked)
    return made.status < 300 ? { ...this.read(about(Object(made.body).id)), status: made.status } : made
  }
}

class Overfull extends ReferenceEngine {
  override resources(call: Call): Answer {
    const { items, next } = Object(super.resources(call).body)
    for (const { spec } of items) if ('memory_used_gb' in spec) spec.memory_used_gb = spec.memory_gb + 1
    return { status: 200, body: { items, next } }
  }
}

class Backdating extends ReferenceEngine {
  override resources(call: Call): Answer {
    const { items, next } = Object(super.resources(call).body)
    for (const { spec } of items) if ('tls_expires_on' in spec) spec.tls_expires_on = '2027-01-01'
    return { status: 200, body: { items, next } }
  }
}

const figures = 'what a server uses fits into what it has, and the days of a certificate agree'

test.concurrent.each<[string, (parts: Parts) => ReferenceEngine, string[]]>([
  [
    'gives a reason about what is not there',
    (parts) => new Accusing(parts),
    ['a reason names what is in the panel, and has begun'],
  ],
  ['uses more memory than there is', (parts) => new Overfull(parts), [figures]],
  ['gives two days for one certificate', (parts) => new Backdating(parts), [figures]],
])(
  'an engine that %s fails those checks and no others',
  async (_what, make, expected) => {
    expect(await failures(make)).toEqual(expected)
  },
  60_000,
)
