import type { Database } from '#platform/db/pool.ts'

/** Clients (`c`), each with the language of their letters (`l`). */
export const clientsWithLanguage = (db: Database) =>
  db.selectFrom('clients as c').innerJoin('languages as l', 'l.id', 'c.language_id')
