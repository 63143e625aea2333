import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor, Ports } from '#platform/context.ts'
import type { Database, Pool } from '#platform/db/pool.ts'
import type { Model } from '#platform/jsonapi/declare/model.ts'
import type { Served } from '#platform/jsonapi/declare/serve.ts'
import type { Query } from '#platform/jsonapi/read/query.ts'
import type { Vault } from '#platform/vault.ts'

export type Options = {
  readonly pool: Pool
  readonly clock: { now(): Date }
  readonly vault: Vault
  /** What actions may call that is outside. */
  readonly ports: Ports
  readonly served: readonly Served[]
  /** Who is asking, or a Problem `unauthenticated`. */
  readonly authenticate: (request: FastifyRequest) => Promise<Actor>
  /**
   * Who is asking, as it is in a transaction that is to write: the permissions of a guest are read again, and held until
   * the transaction ends, so that none ends between a look and a change.
   */
  readonly hold: (tx: Database, actor: Actor, now: Date) => Promise<Actor>
}

/** A document as it is sent, with its tag. */
export type Rendered = { readonly body: Buffer; readonly tag: string }

export type Engine = Options & {
  readonly app: FastifyInstance
  readonly models: ReadonlyMap<string, Model>
  /** Checked queries by address: polling screens send the same few again and again, and a query is immutable. */
  readonly queries: Map<string, Query>
  /** Documents of reference types by address; the same for every reader. */
  readonly rendered: Map<string, { readonly document: Rendered; readonly until: number }>
}

export type Call = { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly actor: Actor }
export type Handler = (call: Call) => Promise<Buffer | Rendered | undefined>
