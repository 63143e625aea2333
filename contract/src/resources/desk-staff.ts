import * as z from 'zod/mini'
import { email } from '../calls/credentials.ts'
import { language, line, moment, noInput, stamps } from '../fields.ts'
import { action, resource } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'
import { linkLifetimes } from '../rules/link-lifetimes.ts'
import { givenRoles, staffRoles } from '../rules/staff-roles.ts'

const states = ['active', 'invited', 'expired', 'disabled'] as const

const anyRole = z.enum(staffRoles)

/** The name of a staff member, as clients and colleagues see it. */
export const memberName = line(80, { required: fault('name_required') })

const moved = z.object({ state: z.enum(states) })

export const deskStaff = resource('desk-staff', {
  description:
    'A member of staff, for administrators. Nobody changes their own row, and the last active administrator cannot go (`staff_last_admin`).',
  attributes: {
    email: z.string(),
    /** The name that clients see above an answer. */
    display_name: z.string(),
    role: anyRole,
    /** `expired`: the invitation was not accepted in time. */
    state: z.enum(states),
    /** Whether two-factor authentication is on, or a passkey is there: the rights of the role need one of them. */
    second_factor: z.boolean(),
    /** Null also when it was more than a year ago. */
    last_sign_in_at: z.nullable(moment),
    /** How many clients they opened on this UTC day. */
    clients_opened: z.int(),
    /** The end of an invitation that was not accepted. */
    invited_until: z.nullable(moment),
    ...stamps,
  },
  filters: { state: z.enum(states) },
  sorts: ['display_name', 'createdAt'],
  actions: {
    invite: action({
      method: 'POST',
      on: 'type',
      description: `Invites a new member of staff by a letter whose link works once, for ${linkLifetimes.staffInvitation} hours; an earlier link to the same address becomes invalid. \`staff_invite_client\` for the address of a client, \`staff_email_taken\` for that of a member. Needs a recent sign-in.`,
      input: z.strictObject({
        email,
        display_name: memberName,
        role: z.enum(givenRoles),
        language,
      }),
      output: z.object({ invited_until: moment }),
    }),
    inviteAdmin: action({
      method: 'POST',
      on: 'type',
      description:
        'Invites an administrator, as `invite` does others. Always `second_person_required`: ask for it by `desk-requests`.',
      input: z.strictObject({ email, display_name: memberName, language }),
      output: z.object({ invited_until: moment }),
    }),
    disable: action({
      method: 'POST',
      on: 'one',
      description:
        'Takes all rights away at once: sessions end, access that clients granted ends, an invitation is withdrawn, and so are those that the member sent. Needs a recent sign-in.',
      input: noInput,
      output: moved,
    }),
    enable: action({
      method: 'POST',
      on: 'one',
      description: 'Gives the rights of the role back, after a new sign-in. Needs a recent sign-in.',
      input: noInput,
      output: moved,
    }),
    endSessions: action({
      method: 'POST',
      on: 'one',
      description:
        'Ends every session of the member, and the open invitations that they sent: the next request with their token is refused. Needs a recent sign-in.',
      input: noInput,
      output: z.object({ ended: z.int() }),
    }),
    resetFactors: action({
      method: 'POST',
      on: 'one',
      description:
        'Removes the second factor of a member who lost it, two-factor authentication and passkeys, and ends their sessions; a letter tells them. Of an administrator only as a request of `desk-requests` (`second_person_required`). `two_factor_off` where there is none. Needs a recent sign-in.',
      input: noInput,
      output: z.object({ ended: z.int() }),
    }),
    setRole: action({
      method: 'POST',
      on: 'one',
      description:
        'Gives a member another role from their next request. To and from that of an administrator only as a request of `desk-requests` (`second_person_required`); open invitations of one who was an administrator end. Needs a recent sign-in.',
      input: z.strictObject({ role: anyRole }),
      output: z.object({ role: anyRole }),
    }),
  },
})
