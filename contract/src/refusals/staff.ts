import { declare } from './refusal.ts'

/** What the staff's own tools refuse. */
export const staffRefusals = declare({
  staff_account_missing: [
    404,
    'Nobody has an account as {email}. They have to register first.',
    'Nimeni nu are un cont cu adresa {email}. Mai întâi trebuie să își creeze unul.',
  ],
  staff_account_unfit: [
    409,
    '{email} is not confirmed, or the account is blocked or closed.',
    'Adresa {email} nu este confirmată sau contul este blocat ori închis.',
  ],
  staff_account_has_panels: [
    409,
    '{email} has panels. Staff need an account for nothing else.',
    '{email} are panouri. Echipa de suport are nevoie de un cont separat.',
  ],
  staff_account_has_money: [
    409,
    '{email} has paid into the account or owes for it. Staff need an account for nothing else.',
    '{email} a plătit în cont sau are datorii. Echipa de suport are nevoie de un cont separat.',
  ],
  staff_second_factor_required: [
    403,
    'Turn on two-factor authentication to work as staff.',
    'Activează autentificarea în doi pași ca să poți lucra ca membru al echipei.',
  ],
  staff_email_taken: [
    409,
    'Another member of staff is known by {email}.',
    'Alt membru al echipei folosește adresa {email}.',
  ],
  alert_resolved: [409, 'This alert is resolved already.', 'Această alertă este deja rezolvată.'],
  staff_preferences_not_own: [
    403,
    'Members of staff choose only for themselves.',
    'Fiecare membru al echipei alege doar pentru sine.',
  ],
  canned_answers_admins_only: [
    403,
    'Only administrators may change ready answers.',
    'Doar administratorii pot modifica răspunsurile pregătite.',
  ],
  canned_answer_title_taken: [
    409,
    'There is an answer of this name already.',
    'Există deja un răspuns cu acest nume.',
  ],
})
