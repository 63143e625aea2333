import { sql } from 'kysely'

// What the original of a restored database charged after the backup is in no book here, so that an account seems to lack money for which its
// card was charged already. Staff say that they have booked it or given it back by resolving the alert, which is all that holds it.

/** The alert about a charge of a client, in its detail `client_id`. */
export const chargeAfterBackup = 'charge_after_backup'

/** The alert that the charges since the backup are not known, which concerns every client. */
export const chargesUnknown = 'charges_unknown'

/** SQL: whether automatic billing of a client waits for staff. */
export const isHeld = (clientId: string) => sql<boolean>`exists (
  select from staff_alerts a where a.resolved_at is null and (a.kind = ${chargesUnknown}
    or (a.kind = ${chargeAfterBackup} and a.detail ->> 'client_id' = ${sql.ref(clientId)}::text)))`
