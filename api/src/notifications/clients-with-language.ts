import type { Database } from '#platform/db/pool.ts'

/** Clients (`c`), each with the language that letters to them are written in (`l`). */
export const clientsWithLanguage = (db: Database) =>
  db.selectFrom('clients as c').innerJoin('languages as l', 'l.id', 'c.language_id')
