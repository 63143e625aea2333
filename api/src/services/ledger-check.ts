import type { Database } from '../db/pool.ts'
import { verifyLedger } from '../ledger/verify.ts'

/** Compares the books with what follows from them, and tells each difference as a sentence; answers how many there are. */
export async function checkLedger(db: Database, tell: (sentence: string) => void): Promise<number> {
  const differences = await verifyLedger(db)
  for (const { what, place, found, expected } of differences)
    tell(`${what}: ${place} has ${found ?? 'nothing'}, the entries make it ${expected ?? 'nothing'}`)
  return differences.length
}
