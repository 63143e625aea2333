import { declare } from './refusal.ts'

/** Refusals of the staff's own tools. */
export const staffRefusals = declare({
  staff_reason_required: [
    422,
    'State the reason in the Portico-Reason header.',
    'Scrie motivul în antetul Portico-Reason.',
  ],
  staff_reason_encoding: [
    400,
    'The reason is not correctly percent-encoded.',
    'Motivul nu este codificat corect cu procente.',
  ],
  staff_reason_length: [
    422,
    'The reason must have {least} to {most} characters.',
    'Motivul trebuie să aibă între {least} și {most} de caractere.',
  ],
  staff_account_missing: [
    404,
    '{email} does not have an account. They have to register first.',
    '{email} nu are cont. Mai întâi trebuie să își creeze unul.',
  ],
  staff_account_unfit: [
    409,
    '{email} is not confirmed, or the account is blocked or closed.',
    'Adresa {email} nu este confirmată sau contul este blocat ori închis.',
  ],
  staff_account_has_panels: [
    409,
    '{email} has panels. Staff need a separate account.',
    '{email} are panouri. Echipa de suport are nevoie de un cont separat.',
  ],
  staff_account_has_money: [
    409,
    '{email} has a balance or a debt. Staff need a separate account.',
    '{email} are sold sau datorii. Echipa de suport are nevoie de un cont separat.',
  ],
  staff_second_factor_required: [
    403,
    'Turn on two-factor authentication to work as staff.',
    'Activează autentificarea în doi pași ca să poți lucra ca membru al echipei.',
  ],
  staff_email_taken: [
    409,
    'Another staff member already uses {email}.',
    'Alt membru al echipei folosește adresa {email}.',
  ],
  alert_resolved: [409, 'This alert is already resolved.', 'Această alertă este deja rezolvată.'],
  staff_preferences_not_own: [
    403,
    'Staff members can only change their own preferences.',
    'Membrii echipei își pot schimba doar propriile preferințe.',
  ],
  canned_answers_admins_only: [
    403,
    'Only administrators can change ready answers.',
    'Doar administratorii pot modifica răspunsurile pregătite.',
  ],
  canned_answer_title_taken: [
    409,
    'An answer with this name already exists.',
    'Există deja un răspuns cu acest nume.',
  ],
})
