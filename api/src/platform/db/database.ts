import { Kysely, type KyselyConfig, type KyselyPlugin } from 'kysely'
import type { DB } from './types.ts'

type Begun<T> = {
  setAccessMode(mode: 'read only' | 'read write'): T
  setIsolationLevel(level: 'repeatable read'): T
}

/** Work in one transaction, committed when it resolves and rolled back when it throws. */
interface Within extends Begun<Within> {
  execute<T>(work: (tx: Database) => Promise<T>): Promise<T>
}

/** A transaction that its holder ends. */
export type OpenTransaction = Database & {
  commit(): { execute(): Promise<void> }
  rollback(): { execute(): Promise<void> }
  readonly isCommitted: boolean
}

interface Opening extends Begun<Opening> {
  execute(): Promise<OpenTransaction>
}

type Differing = 'transaction' | 'startTransaction' | 'connection' | 'withPlugin'

/**
 * The builder of statements, of the pool or of one transaction. It is kysely's own, whose types for the two differ: to
 * find that one fits the other the compiler compares them member by member over all tables, for longer than it checks the rest.
 */
export interface Database extends Omit<Kysely<DB>, Differing> {
  transaction(): Within
  startTransaction(): Opening
  withPlugin(plugin: KyselyPlugin): Database
  connection(): { execute<T>(work: (one: Database) => Promise<T>): Promise<T> }
}

// The type above is kysely's with one type for both; comparing them would cost what it saves.
export const databaseOf = (config: KyselyConfig): Database => new Kysely<DB>(config) as unknown as Database
