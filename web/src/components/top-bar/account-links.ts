import type { User } from '@portico/contract/calls/user.ts'
import { href } from '../../routes.ts'
import { m } from '../../texts/compiled/messages.js'

const links = [
  { to: href('manage-account'), name: m.manage_account_title },
  { to: href('billing'), name: m.billing_title },
  { to: href('billing-log'), name: m.billing_log_title },
  { to: href('usages'), name: m.usages_title },
  { to: href('tickets'), name: m.tickets_title },
  { to: href('api-keys'), name: m.api_keys_title },
] as const

const ofStaff: readonly string[] = [href('manage-account'), href('tickets')]
const ofSignIn: readonly string[] = [href('manage-account')]

/** The pages of the user menu, in its order; the drawer on phones lists the same. */
export const accountLinks = ({ staff }: User) =>
  links.filter(({ to }) => staff === null || (staff.needs_second_factor ? ofSignIn : ofStaff).includes(to))
