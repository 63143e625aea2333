import path from 'node:path'
import { sql } from 'kysely'
import type { Env } from '#config/env.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/pool.ts'
import { anafOffice } from './anaf/anaf-office.ts'
import type { StandInDocument } from './stand-in/files.ts'
import { standInPath } from './stand-in/stand-in.routes.ts'
import { type StandInFault, StandInOffice } from './stand-in/stand-in-office.ts'
import type { TaxOffice } from './tax-office.ts'

/**
 * The office that documents are sent to, and the one of a demo, which this portal serves itself: it fails for the documents with
 * these numbers, or buyers’ references.
 */
export type Offices = {
  readonly taxOffice: TaxOffice | null
  readonly standIn: StandInOffice | null
  readonly faults: Map<string, StandInFault>
}

type Parts = { readonly clock: Clock; readonly secret: string }

/** Buyers’ references that let the office of a demo fail, so that a test can choose. */
const demoFaults: readonly (readonly [string, StandInFault])[] = [
  ['PO-NOK', 'nok'],
  ['PO-CIF', 'wrong_cif'],
  ['PO-502', 'failed'],
  ['PO-LOST', 'lost'],
]

/** This reference lets it reject a credit note once, after it has taken the bill. */
const rejectsNote = 'PO-NOTE'

const processingMs = 2000

const returnUrl = ({ publicUrl }: Pick<Env, 'publicUrl'>): string => `${publicUrl}/desk/e-factura`

/** The office of a demo, on the portal's own port. */
function ofDemo(env: Env, origin: string, { clock, secret }: Parts): Offices {
  const faults = new Map(demoFaults)
  const isNew = (number: string) => !standIn.uploads.some(({ document }) => document.number === number)
  const faultOf = ({ number, order, standard }: StandInDocument) =>
    order === rejectsNote && standard === 'CN' && isNew(number)
      ? 'nok'
      : (faults.get(number) ?? faults.get(order ?? ''))
  const standIn: StandInOffice = new StandInOffice({
    clock,
    secret,
    processingMs,
    journal: path.join(env.dataDir, 'tax-office.jsonl'),
    fault: ({ call, document }) => (call === 'upload' && document ? faultOf(document) : undefined),
  })
  const base = { server: `${origin}${standInPath}`, browser: `${env.publicUrl}${standInPath}` }
  const settings = { environment: 'test', clientId: 'demo', clientSecret: 'demo', base } as const
  return { standIn, faults, taxOffice: anafOffice({ ...settings, returnUrl: returnUrl(env), clock }) }
}

/** No document is sent. */
export const noOffice = (): Offices => ({ taxOffice: null, standIn: null, faults: new Map() })

/** The configured office; for a demo without one an office of its own at `origin`. */
export function officesOf(env: Env, origin: string, parts: Parts): Offices {
  const { efactura, seed } = env
  if (efactura) {
    const { baseUrl, ...settings } = efactura
    const base = baseUrl === undefined ? undefined : { server: baseUrl, browser: baseUrl }
    const office = anafOffice({ ...settings, base, returnUrl: returnUrl(env), clock: parts.clock })
    return { taxOffice: office, standIn: null, faults: new Map() }
  }
  return seed === 'demo' ? ofDemo(env, origin, parts) : noOffice()
}

/** Notes which system is in use, for what reads the lists of documents. */
export async function noteOffice(db: Database, taxOffice: TaxOffice | null): Promise<void> {
  const environment = taxOffice?.environment ?? null
  await db.transaction().execute(async (tx) => {
    await sql`update tax_offices set in_use = false where in_use and environment is distinct from ${environment}::text`.execute(
      tx,
    )
    await sql`update tax_offices set in_use = true where not in_use and environment = ${environment}::text`.execute(
      tx,
    )
  })
}
