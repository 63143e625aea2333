import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor, Ports } from '#platform/context.ts'
import type { Reads } from '#platform/db/hosts/reads.ts'
import type { Database, Pool } from '#platform/db/pool.ts'
import type { Model } from '#platform/jsonapi/declare/model.ts'
import type { Served } from '#platform/jsonapi/declare/served.ts'
import type { Query } from '#platform/jsonapi/read/query.ts'
import type { Vault } from '#platform/vault.ts'

export type Options = {
  readonly pool: Pool
  /** For exports. */
  readonly reads: Reads
  readonly clock: { now(): Date }
  readonly vault: Vault
  /** The outside services that actions may call. */
  readonly ports: Ports
  readonly served: readonly Served[]
  /** The actor of a request, or a Problem `unauthenticated`. */
  readonly authenticate: (request: FastifyRequest) => Promise<Actor>
  /**
   * Reloads the actor inside a writing transaction: a guest's permissions are read again and locked, so that
   * none is revoked between the check and the write.
   */
  readonly hold: (tx: Database, actor: Actor, now: Date) => Promise<Actor>
}

/** A rendered document with its tag. */
export type Rendered = { readonly body: Buffer; readonly tag: string }

export type Engine = Options & {
  readonly app: FastifyInstance
  readonly models: ReadonlyMap<string, Model>
  /** The methods of each path below the prefix, as the header `allow` lists them. */
  readonly offered: Map<string, string>
  /** Parsed queries by address: polling screens repeat the same few, and a query is immutable. */
  readonly queries: Map<string, Query>
  /** Rendered documents of reference types by address; the same for every reader. */
  readonly rendered: Map<string, { readonly document: Rendered; readonly until: number }>
}

export type Call = { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly actor: Actor }
export type Handler = (call: Call) => Promise<Buffer | Rendered | undefined>
