import { declare } from './refusal.ts'

/** Refusals of sessions, sign-in and API keys. */
const signInRefusals = declare({
  unauthenticated: [
    401,
    'Sign in first: the request carries no bearer token.',
    'Conectează-te mai întâi: cererea nu conține un token bearer.',
  ],
  session_ended: [
    401,
    'The session has ended. Sign in again.',
    'Sesiunea s-a încheiat. Conectează-te din nou.',
  ],
  session_not_found: [
    404,
    'This session does not exist or has ended.',
    'Sesiunea nu există sau s-a încheiat.',
  ],
  credentials_wrong: [401, 'The e-mail or password is wrong.', 'E-mailul sau parola este greșită.'],
  sign_in_expired: [
    401,
    'This sign-in has expired or was already used. Sign in again.',
    'Această conectare a expirat sau a fost deja folosită. Conectează-te din nou.',
  ],
  account_not_open: [401, 'You cannot sign in to this account.', 'Nu te poți conecta la acest cont.'],
  email_not_confirmed: [403, 'Confirm your e-mail address first.', 'Confirmă mai întâi adresa de e-mail.'],
  attempts_too_many: [
    429,
    'Too many attempts. Wait a while, then try again.',
    'Prea multe încercări. Așteaptă puțin, apoi încearcă din nou.',
  ],
  sign_in_busy: [
    503,
    'Too many people are signing in at the moment. Try again in a few seconds.',
    'Momentan se conectează prea mulți oameni. Încearcă din nou peste câteva secunde.',
  ],
  confirmation_invalid: [
    422,
    'This sign-in belongs to another account, has expired or was already used.',
    'Această conectare aparține altui cont, a expirat sau a fost deja folosită.',
  ],

  api_key_unknown: [
    401,
    'This API key is unknown or no longer valid.',
    'Această cheie API este necunoscută sau nu mai este valabilă.',
  ],
  address_not_allowed: [
    401,
    'This API key may not be used from this address.',
    'Această cheie API nu poate fi folosită de la această adresă.',
  ],
  api_key_revoked: [403, 'This key was revoked.', 'Această cheie a fost revocată.'],
  api_keys_most: [
    409,
    'At most {most} keys can be active. Revoke one that is not used.',
    'Numărul maxim de chei active: {most}. Revocă una nefolosită.',
  ],
  api_key_expiry_past: [422, 'Choose a time in the future.', 'Alege un moment din viitor.'],
  api_key_workspace_not_own: [
    422,
    'A key can only be limited to one of your own workspaces.',
    'O cheie poate fi limitată doar la unul dintre spațiile tale de lucru.',
  ],
})

/** Refusals of external identities. */
const externalRefusals = declare({
  external_sign_in_incomplete: [
    401,
    'This sign-in was not completed or was already used. Sign in again.',
    'Această conectare nu a fost dusă până la capăt sau a fost deja folosită. Conectează-te din nou.',
  ],
  external_sign_in_declined: [
    401,
    'You cancelled the sign-in with {provider}.',
    'Ai anulat conectarea cu {provider}.',
  ],
  google_email_unproven: [
    403,
    'Google has not verified your e-mail address. Verify it there first.',
    'Google nu ți-a verificat adresa de e-mail. Confirm-o mai întâi acolo.',
  ],
  identity_not_linked: [
    403,
    'This account is linked to another Google account. Sign in with that one, with your password or a passkey, then link this one in Manage account.',
    'Acest cont este asociat cu alt cont Google. Conectează-te cu acela, cu parola sau cu o cheie de acces, apoi asociază-l pe acesta la „Contul meu”.',
  ],
  linking_of_other_account: [
    403,
    'This was started from another account. Start again from your own.',
    'Asocierea a fost începută din alt cont. Începe din nou din contul tău.',
  ],
  google_not_offered: [
    404,
    'This portal does not offer sign-in with Google.',
    'Acest portal nu oferă conectarea cu Google.',
  ],
  identity_not_found: [404, 'There is no such linked account.', 'Acest cont asociat nu există.'],
  identity_linked_elsewhere: [
    409,
    'This Google account is linked to another account of the portal.',
    'Acest cont Google este asociat cu alt cont din portal.',
  ],
  google_attempts_too_many: [
    429,
    'Too many sign-ins with Google were started from here. Wait a minute, then try again.',
    'De aici s-au început prea multe conectări cu Google. Așteaptă un minut, apoi încearcă din nou.',
  ],
  provider_unreachable: [
    503,
    '{provider} cannot be reached at the moment. Try again in a while, or sign in another way.',
    '{provider} nu poate fi contactat acum. Încearcă peste puțin timp sau conectează-te altfel.',
  ],
})

/** Refusals of links in letters, passwords, passkeys and second factors. */
const proofRefusals = declare({
  link_invalid: [
    404,
    'This link is not valid or was replaced by a newer one.',
    'Acest link nu este valid sau unul mai nou l-a înlocuit.',
  ],
  registration_not_open: [
    403,
    'This portal is still being set up. You can register once it has opened.',
    'Acest portal este încă în pregătire. Te poți înregistra după deschidere.',
  ],
  link_used: [410, 'This link was already used.', 'Acest link a fost deja folosit.'],
  link_expired: [410, 'This link has expired. Ask for a new one.', 'Acest link a expirat. Cere unul nou.'],
  email_taken: [
    409,
    'This address now belongs to another account.',
    'Între timp, această adresă aparține altui cont.',
  ],
  email_unchanged: [422, 'This is already your address', 'Aceasta este deja adresa ta'],

  password_changed_meanwhile: [409, 'The password was changed just now.', 'Parola tocmai a fost schimbată.'],
  current_password_wrong: [422, 'This is not your current password', 'Aceasta nu este parola ta actuală'],
  password_personal: [
    422,
    'This is too close to your name, your e-mail address or our name. Add other words.',
    'Seamănă prea mult cu numele tău, cu adresa ta de e-mail sau cu numele nostru. Adaugă alte cuvinte.',
  ],
  password_common: [
    422,
    'This is one of the first passwords an attacker would try. Add another word or two.',
    'Este una dintre primele parole pe care le-ar încerca un atacator. Adaugă încă un cuvânt sau două.',
  ],
  way_in_last: [
    409,
    'This is your only way to sign in. Set a password or add another passkey first.',
    'Este singurul tău mod de conectare. Stabilește mai întâi o parolă sau adaugă altă cheie de acces.',
  ],

  passkey_not_accepted: [
    401,
    'This passkey was not accepted. Try again, or sign in another way.',
    'Cheia de acces nu a fost acceptată. Încearcă din nou sau conectează-te altfel.',
  ],
  passkey_required: [
    401,
    'Sign in with your passkey: it is the second factor that your work as staff needs.',
    'Conectează-te cu cheia ta de acces: este al doilea factor cerut de rolul tău de angajat.',
  ],
  passkey_not_found: [404, 'There is no such passkey.', 'Această cheie de acces nu există.'],
  passkey_known: [409, 'This passkey was already added.', 'Această cheie de acces a fost deja adăugată.'],
  passkeys_most: [
    409,
    'You already have {most} passkeys. Remove one first.',
    'Ai deja numărul maxim de chei de acces ({most}). Elimină una mai întâi.',
  ],
  passkey_unverified: [
    422,
    'The passkey could not be checked. Try again.',
    'Cheia de acces nu a putut fi verificată. Încearcă din nou.',
  ],

  two_factor_required: [
    403,
    'Enter a code from your authenticator app to continue.',
    'Introdu un cod din aplicația de autentificare ca să continui.',
  ],
  two_factor_off: [409, 'Two-factor authentication is off.', 'Autentificarea în doi pași este dezactivată.'],
  two_factor_on: [
    409,
    'Two-factor authentication is on. Turn it off before you set it up again.',
    'Autentificarea în doi pași este activată. Dezactiveaz-o înainte de a o configura din nou.',
  ],
  two_factor_not_set_up: [
    409,
    'Set up an authenticator app first.',
    'Configurează mai întâi o aplicație de autentificare.',
  ],
  code_invalid: [
    422,
    'This code is wrong or was already used. Enter the one shown now.',
    'Codul nu este corect sau a fost deja folosit. Introdu codul afișat acum.',
  ],
})

/** Refusals of sign-in, registration, passwords, second factors and API keys. */
export const identityRefusals = { ...signInRefusals, ...externalRefusals, ...proofRefusals }
