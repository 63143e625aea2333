import type { Row } from '../../api/rows.ts'
import { m } from '../../texts/compiled/messages.js'
import type { Tone } from '../../ui/status.tsx'

export type Member = Row<'desk-staff'>

/** The names of the roles of staff. */
export const roleNames: Record<Member['role'], () => string> = {
  support: m.desk_role_support,
  billing: m.desk_role_billing,
  admin: m.desk_role_admin,
  readonly: m.desk_role_readonly,
}

type Named = { readonly tone: Tone; readonly name: () => string; readonly many: () => string }

/** The names of the states of a member and of many, in the order of the filter. */
export const memberStates: Record<Member['state'], Named> = {
  active: { tone: 'good', name: m.desk_staff_active, many: m.desk_shown_active },
  invited: { tone: 'warn', name: m.desk_staff_invited, many: m.desk_shown_invited },
  expired: { tone: 'bad', name: m.desk_staff_expired, many: m.desk_shown_invitation_expired },
  disabled: { tone: 'idle', name: m.desk_staff_disabled, many: m.desk_shown_disabled },
}

/** The states by which the list filters. */
export const stateNames = [
  'active',
  'invited',
  'expired',
  'disabled',
] as const satisfies readonly Member['state'][]
