import { declare } from './refusal.ts'

/** Refusals of invitations, permissions and the access of guests and staff. */
export const sharingRefusals = declare({
  invitation_own_address: [422, 'This is your own address.', 'Aceasta este adresa ta.'],
  invitation_own: [409, 'This is your own invitation.', 'Aceasta este invitația ta.'],
  invitation_repeated: [409, 'You have already invited this person.', 'Ai invitat deja această persoană.'],
  invitation_accepted: [
    409,
    'This invitation was already accepted.',
    'Această invitație a fost deja acceptată.',
  ],
  invitation_names_fixed: [
    403,
    'The names cannot be changed: the invitation was already accepted.',
    'Numele nu se mai pot schimba: invitația a fost deja acceptată.',
  ],
  invitation_unknown: [
    404,
    'This invitation does not work. Ask for a new one.',
    'Invitația nu funcționează. Cere una nouă.',
  ],
  invitation_expired: [
    410,
    'This invitation has expired. Ask for a new one.',
    'Invitația a expirat. Cere una nouă.',
  ],
  invitation_sent_lately: [
    429,
    'A link was sent less than five minutes ago.',
    'Un link a fost trimis acum mai puțin de cinci minute.',
  ],
  invitations_most: [
    429,
    'Too many invitations were sent today. Try again tomorrow.',
    'Astăzi s-au trimis prea multe invitații. Încearcă mâine.',
  ],
  letters_most: [
    429,
    'Too many e-mails were sent recently. Try again in an hour.',
    'S-au trimis prea multe e-mailuri în ultima vreme. Încearcă din nou peste o oră.',
  ],

  permission_in_use: [
    409,
    'Someone was already invited with this permission.',
    'Prin această permisiune a fost deja invitat cineva.',
  ],
  permission_accepted_by_other: [
    409,
    'The invitation was accepted by someone else.',
    'Invitația a fost acceptată de altcineva.',
  ],
  guest_only: [
    403,
    'Only the person who accepted the invitation can do this.',
    'Doar persoana care a acceptat invitația poate face asta.',
  ],
  account_shared_already: [
    409,
    'This account is already shared with you.',
    'Acest cont este deja partajat cu tine.',
  ],
  workspace_unknown: [422, 'You have no such workspace.', 'Nu ai un astfel de spațiu de lucru.'],
  panel_unknown: [
    422,
    'You have no such panel in this workspace.',
    'Nu ai un astfel de panou în acest spațiu de lucru.',
  ],
  domain_unknown: [422, 'You have no such domain.', 'Nu ai un astfel de domeniu.'],

  ticket_without_panel: [409, 'This ticket is not about a panel.', 'Tichetul nu este despre un panou.'],
  ticket_unanswered: [
    409,
    'Nobody is assigned to this ticket yet. Once someone is, you can give them access.',
    'Acest tichet nu are încă un responsabil. Când are, îi poți da acces.',
  ],
  panel_access_not_granted: [
    403,
    'The client has not given you access to this panel.',
    'Clientul nu ți-a dat acces la acest panou.',
  ],
})
