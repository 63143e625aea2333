import { type RawBuilder, sql } from 'kysely'

type Column = RawBuilder<unknown>

/** The key of the job for messages about one object: several of them need one read. */
export const eventKey = (provider: string, objectRef: string): string => `event:${provider}:${objectRef}`

/** SQL: `eventKey` of columns. */
export const eventKeyOf = (provider: Column, objectRef: Column) =>
  sql<string>`('event:' || ${provider} || ':' || ${objectRef})`

/** The key of the job that sends a refund, and of the request to the provider. */
export const refundKey = (refundId: number): string => `refund:${refundId}`

/** SQL: `refundKey` of a column. */
export const refundKeyOf = (refundId: Column) => sql<string>`('refund:' || ${refundId})`

/** The key of the job that evaluates the automatic billing of a client. */
export const autoKey = (clientId: number): string => `auto:${clientId}`

/** SQL: `autoKey` of a column. */
export const autoKeyOf = (clientId: Column) => sql<string>`('auto:' || ${clientId})`
