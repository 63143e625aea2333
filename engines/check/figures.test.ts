import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Answer } from '../example/calls.ts'
import { ReferenceEngine } from '../example/engine.ts'
import type { Fields } from '../example/offers.ts'
import type { Panel } from '../example/panel.ts'
import type { Verb } from '../example/power.ts'
import { failures, type Parts } from './serve.ts'

type Call = Parameters<ReferenceEngine['rename']>[0]

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

/** Says more of each panel that it answers. */
const saying = (more: () => Fields) =>
  class Saying extends ReferenceEngine {
    override read(call: Call): Answer {
      return { status: 200, body: { ...Object(super.read(call).body), ...more() } }
    }

    override create(asked: Fields): Answer {
      const made = super.create(asked)
      return made.status < 300 ? { ...made, body: { ...Object(made.body), ...more() } } : made
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

class Restless extends ReferenceEngine {
  override powerServer(call: Call): Answer {
    return super.powerServer({ ...call, body: { ...call.body, request_id: randomUUID() } })
  }
}

class Frail extends ReferenceEngine {
  override power(panel: Panel, server: number, action: Verb): Answer {
    const stopped = panel.holds.server?.[server]?.status === 'stopped'
    return stopped && action === 'stop' ? { status: 500 } : super.power(panel, server, action)
  }
}

class Heedless extends ReferenceEngine {
  override power(panel: Panel, server: number, action: Verb): Answer {
    return super.power({ ...panel, status: 'active' }, server, action)
  }
}

class Lagging extends ReferenceEngine {
  override series(call: Call): Answer {
    const answer = super.series(call)
    return { ...answer, body: { ...Object(answer.body), start: '2026-01-05T09:00:00Z' } }
  }
}

class Brief extends ReferenceEngine {
  override series(call: Call): Answer {
    const answer = super.series(call)
    return { ...answer, body: { ...Object(answer.body), out_mb: [1, 2, 3] } }
  }
}

class Anonymous extends ReferenceEngine {
  override rename(call: Call): Answer {
    return super.rename({ ...call, body: { name: call.body.name } })
  }
}

class Backwards extends ReferenceEngine {
  override readAudit(call: Call): Answer {
    const { items } = Object(this.audit.page(this.panel(call).id, 0))
    return { status: 200, body: { items: [...items].reverse(), next: null } }
  }
}

const series = 'a series has 288 values of the last day'
const audit = 'the audit names who has just renamed a panel, newest first, each act once'
const made = 'a panel was made by now, is made whole, and its sign-in page opens'
const figures = 'what a server uses fits into what it has, and the days of a certificate agree'

test.concurrent.each<[string, (parts: Parts) => ReferenceEngine, string[]]>([
  [
    'gives a reason about what is not there',
    (parts) => new Accusing(parts),
    ['a reason names what is in the panel, and has begun'],
  ],
  [
    'restarts again when the call is repeated',
    (parts) => new Restless(parts),
    ['a server restarts once for each request_id'],
  ],
  [
    'fails when a stopped server is to stop',
    (parts) => new Frail(parts),
    ['each power verb does what it says, and again without a fault'],
  ],
  [
    'starts servers of a suspended panel',
    (parts) => new Heedless(parts),
    ['the power of a suspended panel is refused as 409'],
  ],
  ['tells of another day', (parts) => new Lagging(parts), [series]],
  ['tells of three values', (parts) => new Brief(parts), [series]],
  ['does not keep who did something', (parts) => new Anonymous(parts), [audit]],
  ['tells the oldest act first', (parts) => new Backwards(parts), [audit]],
  ['uses more memory than there is', (parts) => new Overfull(parts), [figures]],
  [
    'makes panels in the future',
    (parts) => new (saying(() => ({ created_at: '2999-01-01T00:00:00Z' })))(parts),
    [made],
  ],
  ['gives a panel that is half made', (parts) => new (saying(() => ({ progress: 50 })))(parts), [made]],
  [
    'names a sign-in page that is not there',
    (parts) => new (saying(() => ({ login_url: `${parts.url()}/console?token=none` })))(parts),
    [made],
  ],
  ['gives two days for one certificate', (parts) => new Backdating(parts), [figures]],
])(
  'an engine that %s fails those checks and no others',
  async (_what, make, expected) => {
    expect(await failures(make)).toEqual(expected)
  },
  60_000,
)
