import { sql } from 'kysely'

// Charges that the original of a restored database made after the backup are missing here, so a balance may look too low. Automatic billing
// and the suspension for debt wait until staff resolve the alert, by which they say that they have booked or given back the charge.

/** The alert about a charge of a client, in its detail `client_id`. */
export const chargeAfterBackup = 'charge_after_backup'

/** The alert that the charges since the backup are not known, which concerns every client. */
export const chargesUnknown = 'charges_unknown'

/** SQL: whether automatic billing of a client, and the suspension for debt, wait for staff. */
export const isHeld = (clientId: string) => sql<boolean>`exists (
  select from staff_alerts a where a.resolved_at is null and (a.kind = ${chargesUnknown}
    or (a.kind = ${chargeAfterBackup} and a.detail ->> 'client_id' = ${sql.ref(clientId)}::text)))`
