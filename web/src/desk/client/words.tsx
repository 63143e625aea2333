import type { Row } from '../../api/rows.ts'
import { m } from '../../texts/compiled/messages.js'
import { Status, type Tone } from '../../ui/status.tsx'

export type Client = Row<'desk-clients'>

const unknown: readonly [Tone, () => string] = ['idle', m.desk_client_unknown]

const accountStates: Readonly<Record<number, readonly [Tone, () => string]>> = {
  0: ['bad', m.desk_client_blocked],
  2: ['idle', m.desk_client_new],
  3: ['warn', m.desk_client_closing],
  4: ['idle', m.desk_client_closed],
}

const billingStates: Readonly<Record<number, readonly [Tone, () => string]>> = {
  0: ['idle', m.desk_client_trial],
  1: ['good', m.desk_client_ok],
  2: ['warn', m.desk_client_low],
  3: ['bad', m.desk_client_negative],
  4: ['bad', m.desk_client_warned],
  5: ['bad', m.desk_client_suspended],
  6: ['bad', m.desk_client_terminated],
}

const stopped: readonly [Tone, () => string] = ['bad', m.desk_client_stopped]

/** The state of an account: what keeps the person out, or staff stopped, else how they stand with money. */
export function ClientStatus({ client: { status, stopped_at, billing_status } }: { client: Client }) {
  const [tone, name] =
    accountStates[status] ??
    (stopped_at === null ? undefined : stopped) ??
    billingStates[billing_status] ??
    unknown
  return <Status tone={tone}>{name()}</Status>
}

/** The name of a client: the company, else the person. */
export const clientName = ({ company_name, first_name, last_name }: Client): string =>
  company_name ?? `${first_name} ${last_name}`.trim()
