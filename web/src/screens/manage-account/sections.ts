import type { User } from '@portico/contract/calls/user.ts'
import { m } from '../../texts/compiled/messages.js'

/**
 * The sections of the page by anchor, in groups of which one is shown. Links from other pages use the ids, so an id
 * stays.
 */
const groups = [
  {
    key: 'profile',
    name: m.account_group_profile,
    sections: [
      { id: 'personal', title: m.account_personal },
      { id: 'preferences', title: m.account_preferences },
      { id: 'notifications', title: m.account_notifications },
      { id: 'staff-notices', title: m.staff_notices },
    ],
  },
  {
    key: 'billing',
    name: m.account_group_billing,
    sections: [
      { id: 'billing', title: m.account_billing },
      { id: 'currency', title: m.account_currency },
      { id: 'billing-emails', title: m.account_billing_emails },
    ],
  },
  {
    key: 'sign-in',
    name: m.account_group_sign_in,
    sections: [
      { id: 'email', title: m.account_email },
      { id: 'password', title: m.password },
      { id: 'two-factor', title: m.account_two_factor },
      { id: 'passkeys', title: m.account_passkeys },
      { id: 'sign-ins', title: m.account_sign_ins },
    ],
  },
  {
    key: 'activity',
    name: m.account_group_activity,
    sections: [
      { id: 'sessions', title: m.account_sessions },
      { id: 'security-log', title: m.account_log },
    ],
  },
  {
    key: 'data',
    name: m.account_group_data,
    sections: [
      { id: 'export', title: m.account_copy },
      { id: 'close', title: m.account_close },
    ],
  },
] as const

export type SectionId = (typeof groups)[number]['sections'][number]['id']

/** The groups, each of which is loaded when it is opened. */
export type GroupKey = (typeof groups)[number]['key']

export type Group = {
  key: GroupKey
  name: () => string
  sections: readonly { id: SectionId; title: () => string }[]
}

/** Sections about a client's account, which staff do not have. */
const ofClients: readonly SectionId[] = [
  'notifications',
  'billing',
  'currency',
  'billing-emails',
  'export',
  'close',
]

type Staff = User['staff']

/** Whether a staff member names themselves here: not before their second factor, like all writes. */
export const hasStaffName = (staff: Staff): staff is NonNullable<Staff> =>
  staff !== null && !staff.needs_second_factor

/**
 * Whether a staff member gets notifications: not with a read-only role, and not before their second factor.
 */
export const hasStaffNotices = (staff: Staff): staff is NonNullable<Staff> =>
  staff !== null && staff.role !== 'readonly' && !staff.needs_second_factor

/** The sections for the reader, a client or a staff member. */
export const groupsFor = (staff: Staff): readonly Group[] =>
  groups
    .map(({ key, name, sections }): Group => {
      const all: Group['sections'] = sections
      const isThere = (id: SectionId) => {
        if (id === 'staff-notices') return hasStaffNotices(staff)
        if (id === 'personal') return staff === null || hasStaffName(staff)
        return staff === null || !ofClients.includes(id)
      }
      return { key, name, sections: all.filter(({ id }) => isThere(id)) }
    })
    .filter(({ sections }) => sections.length > 0)

/** The group and the section that an anchor names; without one, or with an unknown one, the first. */
export function openedBy(hash: string, all: readonly Group[]): { group: Group; section: SectionId } {
  const found = all.find(({ sections }) => sections.some(({ id }) => id === hash))
  const [first] = all
  const group = found ?? first
  const section = group?.sections.find(({ id }) => id === hash) ?? group?.sections[0]
  if (!group || !section) throw new Error('Every account has sections.')
  return { group, section: section.id }
}
