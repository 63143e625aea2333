import type { User } from '@portico/contract/calls/user.ts'
import { href, routes } from '../../routes.ts'

const inMenu = ['manage-account', 'billing', 'billing-log', 'usages', 'tickets', 'api-keys'] as const
const inPalette = ['dashboard', ...inMenu, 'payment', 'team-members', 'manage-permissions'] as const

type Listed = (typeof inPalette)[number]

const ofStaff: readonly Listed[] = ['manage-account', 'tickets']
const ofSignIn: readonly Listed[] = ['manage-account']

const linkTo = (name: Listed) => ({ to: href(name), name: routes[name].title })

/** The pages of the user menu, in its order; the drawer on phones lists the same. */
export const accountLinks = ({ staff }: User) =>
  inMenu
    .filter((name) => staff === null || (staff.needs_second_factor ? ofSignIn : ofStaff).includes(name))
    .map(linkTo)

/** The pages that the palette offers: those of the menu, and others that need no id. */
export const paletteLinks = ({ staff }: Pick<User, 'staff'>) =>
  inPalette.filter((name) => staff === null || ofStaff.includes(name)).map(linkTo)
