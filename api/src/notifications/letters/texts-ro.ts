import { linkLifetimes } from '@portico/contract/rules/link-lifetimes.ts'
import { accountLetters } from './account-ro.ts'
import { billingLetters } from './billing-ro.ts'
import { sayable } from './clean.ts'
import { documentLetters } from './documents/documents-ro.ts'
import type { SignInMethods } from './letters.ts'
import { planLetters } from './plans/plans-ro.ts'
import { counted } from './romanian.ts'
import { staffLetters } from './staff-ro.ts'
import { ticketLetters } from './tickets/tickets-ro.ts'
import { brand, inviter, type Language, type Link, momentIn, pages, person, sentence } from './words.ts'

const moment = momentIn('ro')

const review: Link = { label: 'Verifică-ți contul', path: pages.account }

const team: Link = { label: 'Vezi cine are acces', path: pages.team }

const unlessYou =
  'Dacă ai fost tu, nu ai nimic de făcut. Dacă nu, schimbă imediat parola și deconectează celelalte dispozitive din contul tău.'

const list = new Intl.ListFormat('ro')

function otherSignInMethods({ passkeys, google, two_factor, api_keys }: SignInMethods): string[] {
  const keys = passkeys === 1 ? 'o cheie de acces' : counted(passkeys, 'chei de acces')
  const ways = [...(passkeys > 0 ? [keys] : []), ...google.map((email) => `contul Google ${email}`)]
  return [
    ways.length > 0
      ? `Te poți conecta la contul tău și cu ${list.format(ways)}. Elimină din cont tot ce nu îți aparține.`
      : 'Te poți conecta numai cu această parolă: contul nu are chei de acces și nici conturi asociate.',
    ...(two_factor
      ? ['La conectarea cu parola ți se cere și un cod: autentificarea în doi pași este activată.']
      : []),
    ...(api_keys.length > 0
      ? [
          `Cheile API nu depind de parolă și funcționează în continuare: ${list.format(api_keys)}. Revocă tot ce nu îți aparține.`,
        ]
      : []),
  ]
}

const ignore = 'Dacă nu ai cerut tu asta, ignoră mesajul:'

function codesLeft(left: number): string {
  if (left === 0) return 'Nu mai ai niciun cod de recuperare. Generează altele din contul tău.'
  return left === 1
    ? 'Ți-a mai rămas un cod de recuperare.'
    : `Ți-au mai rămas ${counted(left, 'coduri')} de recuperare.`
}

export const ro: Language = {
  greeting: (name) => (name === undefined ? 'Bună,' : `Bună, ${name},`),
  where: ({ device: { browser, system }, ip, at }) =>
    sentence(
      browser !== null && system !== null ? `${browser} pe ${system}` : (browser ?? system),
      ip === null ? null : `de la ${ip}`,
      `pe ${moment(at)}`,
    ),
  ifButtonFails: 'Dacă butonul nu funcționează, deschide această adresă în browser:',
  footer: (host, answered) =>
    answered
      ? `Mesaj trimis de ${brand}, ${host}. Răspunsul tău se adaugă la tichet.`
      : `Mesaj trimis automat de ${brand}, ${host}. Răspunsurile nu sunt citite.`,
  letters: {
    ...accountLetters,
    ...billingLetters,
    ...documentLetters,
    ...planLetters,
    ...ticketLetters,
    ...staffLetters,
    'verify-email': ({ link }) => ({
      subject: `Confirmă adresa de e-mail pentru ${brand}`,
      say: [
        `Cineva s-a înregistrat la ${brand} cu această adresă:`,
        'Dacă ai fost tu, confirmă că adresa îți aparține și contul este gata de folosit.',
      ],
      button: { label: 'Confirmă adresa', path: link },
      after: [
        `Linkul funcționează o singură dată și este valabil ${counted(linkLifetimes.verifyEmail, 'ore')}.`,
        `Dacă nu ai fost tu, nu deschide linkul: i-ar da acelei persoane acces cu adresa ta. Un cont neconfirmat nu dă acces la nimic și este șters după ${counted(linkLifetimes.unconfirmed, 'zile')}.`,
        'Dacă l-ai deschis din greșeală, alege imediat o parolă a ta:',
      ],
      other: { label: 'Alege o parolă', path: pages.reset },
    }),
    'already-registered': ({ link, reset }) => ({
      subject: `Ai deja un cont ${brand}`,
      say: [
        'Cineva, cel mai probabil tu, a vrut să creeze un cont cu această adresă. Există deja unul, așa că nu a fost creat altul.',
      ],
      button: { label: 'Conectează-te', path: link },
      after: ['Dacă nu ai fost tu, ignoră mesajul: nu s-a schimbat nimic.', 'Dacă ai uitat parola:'],
      other: { label: 'Alege o parolă nouă', path: reset },
    }),
    'password-reset': ({ link }) => ({
      subject: `Alege o parolă nouă pentru ${brand}`,
      say: ['S-a cerut o parolă nouă pentru contul tău.'],
      button: { label: 'Alege o parolă nouă', path: link },
      after: [
        `Linkul funcționează o singură dată și este valabil ${counted(linkLifetimes.resetPassword, 'minute')}.`,
        `${ignore} parola rămâne aceeași.`,
      ],
    }),
    'password-changed': ({ remaining }) => ({
      subject: `Parola contului ${brand} a fost schimbată`,
      say: [
        'Parola contului tău a fost schimbată, iar celelalte dispozitive au fost deconectate.',
        ...otherSignInMethods(remaining),
      ],
      button: review,
      after: [
        'Dacă ai fost tu, nu ai nimic de făcut. Dacă nu, cere imediat o parolă nouă din pagina de conectare.',
      ],
    }),
    'two-factor-enabled': () => ({
      subject: 'Autentificarea în doi pași este activată',
      say: [
        'Autentificarea în doi pași a fost activată pentru contul tău.',
        'De acum înainte, la conectare ți se cere și un cod din aplicația de autentificare. Păstrează codurile de recuperare într-un loc sigur.',
      ],
      button: review,
      after: [unlessYou],
    }),
    'two-factor-disabled': () => ({
      subject: 'Autentificarea în doi pași este dezactivată',
      say: [
        'Autentificarea în doi pași a fost dezactivată pentru contul tău.',
        'La conectare nu ți se mai cere un cod din aplicația de autentificare.',
      ],
      button: review,
      after: [unlessYou],
    }),
    'two-factor-guessed': () => ({
      subject: 'Coduri greșite la al doilea pas al conectării',
      say: [
        'La al doilea pas al conectării în contul tău au fost introduse mai multe coduri greșite. Pentru o vreme nu mai acceptăm altele.',
        'Persoana trecuse de primul pas, ceea ce înseamnă de obicei că îți cunoaște parola.',
      ],
      button: review,
      after: ['Dacă ai fost tu, nu ai nimic de făcut. Dacă nu, schimbă parola chiar acum.'],
    }),
    'recovery-code-used': ({ left }) => ({
      subject: 'A fost folosit un cod de recuperare',
      say: ['Un cod de recuperare a fost folosit pentru conectarea în contul tău.', codesLeft(left)],
      button: review,
      after: [unlessYou],
    }),
    'recovery-codes-renewed': () => ({
      subject: 'Ai coduri de recuperare noi',
      say: ['Pentru contul tău au fost generate coduri de recuperare noi. Cele vechi nu mai funcționează.'],
      button: review,
      after: [unlessYou],
    }),
    'passkey-added': ({ passkey }) => ({
      subject: 'O cheie de acces a fost adăugată în contul tău',
      say: [
        `Cheia de acces „${passkey}” a fost adăugată în contul tău.`,
        'Cine o deține se poate conecta fără parolă.',
      ],
      button: review,
      after: [unlessYou],
    }),
    'passkey-removed': ({ passkey }) => ({
      subject: 'O cheie de acces a fost eliminată din contul tău',
      say: [`Cheia de acces „${passkey}” a fost eliminată. Nu mai poate fi folosită la conectare.`],
      button: review,
      after: [unlessYou],
    }),
    'google-linked': ({ email }) => ({
      subject: `Google a fost asociat contului ${brand}`,
      say: [
        `Contul Google ${email} a fost asociat contului tău.`,
        'Cine este conectat la Google cu el se poate conecta acum și aici.',
      ],
      button: review,
      after: [unlessYou],
    }),
    'google-unlinked': ({ email }) => ({
      subject: `Google nu mai este asociat contului ${brand}`,
      say: [`Contul Google ${email} nu mai poate fi folosit la conectare.`],
      button: review,
      after: [unlessYou],
    }),
    'google-refused': ({ email }) => ({
      subject: `O conectare la contul tău ${brand} a fost refuzată`,
      say: [
        `Cineva a încercat să se conecteze cu un cont Google cu adresa ${email}, altul decât cel asociat contului tău. Nu i-am permis accesul.`,
        'Dacă ai fost tu, conectează-te ca de obicei și asociază noul cont Google la „Contul meu”. Dacă nu, este posibil ca altcineva să aibă acum adresa ta de e-mail la Google.',
      ],
      button: review,
      after: [unlessYou],
    }),
    'new-device': () => ({
      subject: `Conectare nouă în contul ${brand}`,
      say: ['Cineva s-a conectat la contul tău dintr-un browser pe care nu îl mai văzusem.'],
      button: review,
      after: [unlessYou],
    }),
    'session-stolen': () => ({
      subject: 'Am închis o sesiune a contului tău',
      say: [
        'Cheia uneia dintre sesiunile tale a fost folosită a doua oară, deci este posibil să o fi avut și altcineva. Am închis imediat sesiunea; s-ar putea să trebuiască să te conectezi din nou.',
        'Dacă nu știi cum s-a întâmplat, schimbă parola și verifică dacă pe dispozitiv există programe care nu ar trebui să fie acolo.',
      ],
      button: review,
      after: [],
    }),
    'email-change-confirm': ({ link }) => ({
      subject: `Confirmă noua adresă de e-mail pentru ${brand}`,
      say: ['Confirmă că această adresă îți aparține. De atunci te conectezi cu ea.'],
      button: { label: 'Confirmă adresa', path: link },
      after: [
        `Linkul funcționează o singură dată și este valabil ${counted(linkLifetimes.confirmEmail, 'ore')}.`,
        `${ignore} nu se va schimba nimic.`,
      ],
    }),
    'email-changed': ({ email, link }) => ({
      subject: `Adresa de e-mail a contului ${brand} a fost schimbată`,
      say: [`De acum înainte te conectezi cu ${email}, nu cu această adresă.`],
      button: { label: 'Anulează schimbarea', path: link },
      after: [
        `Dacă ai fost tu, nu ai nimic de făcut. Dacă nu, anulează schimbarea în cel mult ${counted(linkLifetimes.undoEmail, 'ore')}: adresa aceasta revine, toate dispozitivele sunt deconectate, iar cheile de acces, conturile Google, autentificarea în doi pași, cheile API și drepturile de acces ale altora adăugate de atunci sau în cele ${counted(linkLifetimes.beforeUndone, 'ore')} dinainte sunt eliminate.`,
      ],
    }),
    invitation: (letter) => ({
      subject: inviter(letter)
        ? `${inviter(letter)} îți dă acces la ${sayable(letter.thing ?? '') ?? 'contul său'}`
        : `Invitație de acces la un cont ${brand}`,
      say: [
        `${person(letter)} te invită în contul său ${brand}.`,
        'Invitația arată ce vei putea face acolo, înainte să o accepți.',
      ],
      button: { label: 'Vezi invitația', path: letter.link },
      after: [
        `Linkul este valabil ${counted(linkLifetimes.invitation, 'zile')}, pentru persoana care se conectează cu această adresă de e-mail.`,
        'Dacă nu știi despre ce este vorba, ignoră mesajul: nu se va întâmpla nimic.',
      ],
    }),
    'invitation-accepted': (letter) => ({
      subject: 'Invitația ta a fost acceptată',
      say: [`${person(letter)} ți-a acceptat invitația și are acces la ce i-ai partajat.`],
      button: team,
      after: ['Poți schimba sau retrage oricând acest acces.'],
    }),
    'access-removed': (letter) => ({
      subject: 'Accesul tău a fost retras',
      say: [`${person(letter)} nu îți mai partajează contul său ${brand}.`],
      button: { label: 'Mergi la contul tău', path: pages.dashboard },
      after: ['Contul tău rămâne așa cum este.'],
    }),
    'access-left': (letter) => ({
      subject: 'Cineva a renunțat la acces',
      say: [`${person(letter)} a renunțat la ce i-ai partajat și nu mai are acces.`],
      button: team,
      after: [],
    }),
  },
}
