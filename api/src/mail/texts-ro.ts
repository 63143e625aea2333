import { linkLifetimes } from '@portico/contract/rules/link-lifetimes.ts'
import { accountLetters } from './account-ro.ts'
import { billingLetters } from './billing-ro.ts'
import type { WaysIn } from './letters.ts'
import { ticketLetters } from './ticket-ro.ts'
import { brand, type Language, type Link, momentIn, pages, person, sentence } from './words.ts'

const moment = momentIn('ro')
const plural = new Intl.PluralRules('ro')

/** Romanian says "2 ore" but "24 de ore". */
const counted = (count: number, few: string) =>
  `${count} ${plural.select(count) === 'other' ? 'de ' : ''}${few}`

const review: Link = { label: 'Verificați-vă contul', path: pages.account }

const team: Link = { label: 'Vedeți cine are acces', path: pages.team }

const unlessYou =
  'Dacă ați fost dumneavoastră, nu aveți nimic de făcut. Dacă nu, schimbați imediat parola și închideți celelalte sesiuni din contul dumneavoastră.'

const list = new Intl.ListFormat('ro')

function waysBeside({ passkeys, google, two_factor, api_keys }: WaysIn): string[] {
  const keys = passkeys === 1 ? 'o cheie de acces' : counted(passkeys, 'chei de acces')
  const ways = [...(passkeys > 0 ? [keys] : []), ...google.map((email) => `contul Google ${email}`)]
  return [
    ways.length > 0
      ? `În contul dumneavoastră se poate intra și cu ${list.format(ways)}. Eliminați din cont tot ce nu vă aparține.`
      : 'Contul se deschide numai cu această parolă: nu are chei de acces și nici conturi asociate.',
    ...(two_factor
      ? ['La conectarea cu parola se cere și un cod: autentificarea în doi pași este activată.']
      : []),
    ...(api_keys.length > 0
      ? [
          `Cheile API nu depind de parolă și funcționează în continuare: ${list.format(api_keys)}. Revocați tot ce nu vă aparține.`,
        ]
      : []),
  ]
}

const ignore = 'Dacă nu ați cerut acest lucru, ignorați mesajul:'

function codesLeft(left: number): string {
  if (left === 0) return 'Nu mai aveți niciun cod de recuperare. Generați altele din contul dumneavoastră.'
  return left === 1
    ? 'V-a mai rămas un cod de recuperare.'
    : `V-au mai rămas ${counted(left, 'coduri')} de recuperare.`
}

export const ro: Language = {
  greeting: (name) => (name === undefined ? 'Bună ziua,' : `Bună ziua, ${name},`),
  where: ({ device: { browser, system }, ip, at }) =>
    sentence(
      browser !== null && system !== null ? `${browser} pe ${system}` : (browser ?? system),
      ip === null ? null : `de la ${ip}`,
      `pe ${moment(at)}`,
    ),
  ifButtonFails: 'Dacă butonul nu funcționează, deschideți această adresă în browser:',
  footer: (host, answered) =>
    answered
      ? `Mesaj trimis de ${brand}, ${host}. Răspunsul dumneavoastră este adăugat la tichet.`
      : `Mesaj trimis automat de ${brand}, ${host}. Răspunsurile nu sunt citite.`,
  letters: {
    ...accountLetters,
    ...billingLetters,
    ...ticketLetters,
    'verify-email': ({ link }) => ({
      subject: `Confirmați adresa de e-mail pentru ${brand}`,
      say: [
        `Cineva s-a înregistrat la ${brand} cu această adresă:`,
        'Dacă ați fost dumneavoastră, confirmați că adresa vă aparține și contul este gata de folosit.',
      ],
      button: { label: 'Confirmați adresa', path: link },
      after: [
        `Linkul funcționează o singură dată, timp de ${counted(linkLifetimes.verifyEmail, 'ore')}.`,
        `Dacă nu ați fost dumneavoastră, nu deschideți linkul: i-ar da acelei persoane acces la un cont cu adresa dumneavoastră. Fără el contul nu deschide nimic și este șters după ${counted(linkLifetimes.unconfirmed, 'zile')}.`,
        'Dacă l-ați deschis din greșeală, alegeți imediat o parolă a dumneavoastră:',
      ],
      other: { label: 'Alegeți o parolă', path: pages.reset },
    }),
    'already-registered': ({ link, reset }) => ({
      subject: `Aveți deja un cont ${brand}`,
      say: [
        'Cineva, cel mai probabil dumneavoastră, a vrut să deschidă un cont cu această adresă. Există deja un cont cu ea, așa că nu a fost deschis un al doilea.',
      ],
      button: { label: 'Conectați-vă', path: link },
      after: [
        'Dacă nu ați fost dumneavoastră, ignorați acest mesaj: nu s-a schimbat nimic.',
        'Dacă ați uitat parola:',
      ],
      other: { label: 'Alegeți o parolă nouă', path: reset },
    }),
    'password-reset': ({ link }) => ({
      subject: `Alegeți o parolă nouă pentru ${brand}`,
      say: ['S-a cerut o parolă nouă pentru contul dumneavoastră.'],
      button: { label: 'Alegeți o parolă nouă', path: link },
      after: [
        `Linkul funcționează o singură dată, timp de ${counted(linkLifetimes.resetPassword, 'minute')}.`,
        `${ignore} parola rămâne aceeași.`,
      ],
    }),
    'password-changed': ({ remaining }) => ({
      subject: `Parola contului ${brand} a fost schimbată`,
      say: [
        'Parola contului dumneavoastră a fost schimbată, iar celelalte sesiuni au fost închise.',
        ...waysBeside(remaining),
      ],
      button: review,
      after: [
        'Dacă ați fost dumneavoastră, nu aveți nimic de făcut. Dacă nu, cereți imediat o parolă nouă din pagina de conectare.',
      ],
    }),
    'two-factor-enabled': () => ({
      subject: 'Autentificarea în doi pași este activată',
      say: [
        'Autentificarea în doi pași a fost activată pentru contul dumneavoastră.',
        'De acum înainte, la conectare vi se cere și un cod din aplicația de autentificare. Păstrați codurile de recuperare într-un loc sigur.',
      ],
      button: review,
      after: [unlessYou],
    }),
    'two-factor-disabled': () => ({
      subject: 'Autentificarea în doi pași este dezactivată',
      say: [
        'Autentificarea în doi pași a fost dezactivată pentru contul dumneavoastră.',
        'La conectare nu vi se mai cere un cod din aplicația de autentificare.',
      ],
      button: review,
      after: [unlessYou],
    }),
    'two-factor-guessed': () => ({
      subject: 'Coduri greșite la al doilea pas al conectării',
      say: [
        'La al doilea pas al conectării în contul dumneavoastră au fost introduse mai multe coduri greșite. Pentru o vreme nu mai acceptăm altele.',
        'Persoana trecuse de primul pas, ceea ce înseamnă de obicei că vă cunoaște parola.',
      ],
      button: review,
      after: ['Dacă ați fost dumneavoastră, nu aveți nimic de făcut. Dacă nu, schimbați parola chiar acum.'],
    }),
    'recovery-code-used': ({ left }) => ({
      subject: 'A fost folosit un cod de recuperare',
      say: [
        'Un cod de recuperare a fost folosit pentru conectarea în contul dumneavoastră.',
        codesLeft(left),
      ],
      button: review,
      after: [unlessYou],
    }),
    'recovery-codes-renewed': () => ({
      subject: 'Aveți coduri de recuperare noi',
      say: [
        'Codurile de recuperare ale contului dumneavoastră au fost generate din nou. Cele vechi nu mai funcționează.',
      ],
      button: review,
      after: [unlessYou],
    }),
    'passkey-added': ({ passkey }) => ({
      subject: 'O cheie de acces a fost adăugată în contul dumneavoastră',
      say: [
        `Cheia de acces „${passkey}” a fost adăugată în contul dumneavoastră.`,
        'Cine o deține se poate conecta fără parolă.',
      ],
      button: review,
      after: [unlessYou],
    }),
    'passkey-removed': ({ passkey }) => ({
      subject: 'O cheie de acces a fost eliminată din contul dumneavoastră',
      say: [`Cheia de acces „${passkey}” a fost eliminată. Nu vă mai deschide contul.`],
      button: review,
      after: [unlessYou],
    }),
    'google-linked': ({ email }) => ({
      subject: `Google a fost asociat contului ${brand}`,
      say: [
        `Contul Google ${email} a fost asociat contului dumneavoastră.`,
        'Cine este conectat la Google cu el se poate conecta acum și aici.',
      ],
      button: review,
      after: [unlessYou],
    }),
    'google-unlinked': ({ email }) => ({
      subject: `Google nu mai este asociat contului ${brand}`,
      say: [`Contul Google ${email} nu vă mai deschide contul.`],
      button: review,
      after: [unlessYou],
    }),
    'new-device': () => ({
      subject: `Conectare nouă în contul ${brand}`,
      say: ['În contul dumneavoastră s-a intrat dintr-un browser pe care nu îl mai văzusem.'],
      button: review,
      after: [unlessYou],
    }),
    'session-stolen': () => ({
      subject: 'Am închis o sesiune a contului dumneavoastră',
      say: [
        'Cheia uneia dintre sesiunile dumneavoastră a fost folosită a doua oară, deci este posibil să o fi avut și altcineva. Am închis imediat sesiunea; s-ar putea să fie nevoie să vă conectați din nou.',
        'Dacă nu știți cum s-a întâmplat, schimbați parola și verificați dacă pe dispozitiv există programe care nu ar trebui să fie acolo.',
      ],
      button: review,
      after: [],
    }),
    'email-change-confirm': ({ link }) => ({
      subject: `Confirmați noua adresă de e-mail pentru ${brand}`,
      say: ['Confirmați că această adresă vă aparține. După confirmare vă veți conecta cu ea.'],
      button: { label: 'Confirmați adresa', path: link },
      after: [
        `Linkul funcționează o singură dată, timp de ${counted(linkLifetimes.confirmEmail, 'ore')}.`,
        `${ignore} nu se va schimba nimic.`,
      ],
    }),
    'email-changed': ({ email, link }) => ({
      subject: `Adresa de e-mail a contului ${brand} a fost schimbată`,
      say: [`De acum înainte vă conectați cu ${email}, nu cu această adresă.`],
      button: { label: 'Anulați schimbarea', path: link },
      after: [
        `Dacă ați fost dumneavoastră, nu aveți nimic de făcut. Dacă nu, anulați schimbarea în cel mult ${counted(linkLifetimes.undoEmail, 'ore')}: adresa aceasta revine, toate sesiunile se închid, iar cheile de acces, conturile Google, autentificarea în doi pași, cheile API și drepturile de acces ale altora adăugate de atunci sau în cele ${counted(linkLifetimes.beforeUndone, 'ore')} dinainte sunt eliminate.`,
      ],
    }),
    invitation: (letter) => ({
      subject: `Invitație de acces la un cont ${brand}`,
      say: [
        `${person(letter)} vă invită să folosiți împreună contul său ${brand}.`,
        'Invitația arată ce veți putea face acolo, înainte să o acceptați.',
      ],
      button: { label: 'Vedeți invitația', path: letter.link },
      after: [
        `Linkul funcționează timp de ${counted(linkLifetimes.invitation, 'zile')}, pentru cine se conectează cu această adresă de e-mail.`,
        'Dacă nu știți despre ce este vorba, ignorați acest mesaj: nu se va întâmpla nimic.',
      ],
    }),
    'invitation-accepted': (letter) => ({
      subject: 'Invitația dumneavoastră a fost acceptată',
      say: [`${person(letter)} v-a acceptat invitația și poate folosi ceea ce i-ați pus la dispoziție.`],
      button: team,
      after: ['Puteți schimba sau opri oricând acest acces.'],
    }),
    'access-removed': (letter) => ({
      subject: 'Accesul dumneavoastră a fost oprit',
      say: [`${person(letter)} nu mai folosește contul său ${brand} împreună cu dumneavoastră.`],
      button: { label: 'Mergeți la contul dumneavoastră', path: pages.dashboard },
      after: ['Contul dumneavoastră rămâne așa cum este.'],
    }),
    'access-left': (letter) => ({
      subject: 'Cineva a renunțat la acces',
      say: [`${person(letter)} nu mai folosește ceea ce i-ați pus la dispoziție și nu mai are acces.`],
      button: team,
      after: [],
    }),
    'invoice-copy': ({ number }) => ({
      subject: `Documentul ${number}`,
      say: [`Cineva care se ocupă de un cont ${brand} dorește să aveți documentul ${number}.`],
      button: { label: 'Vedeți documentele', path: pages.billing },
      after: ['Ca să îl vedeți, intrați într-un cont care poate vedea facturarea.'],
    }),
    'invoice-issued': ({ what, number, total, currency, due }) => ({
      subject: what === 'fiscal' ? `Factura ${number}` : `Factura de stornare ${number}`,
      say: [
        what === 'fiscal'
          ? `Factura ${number}, în valoare de ${total} ${currency}, a fost emisă.`
          : `Factura de stornare ${number}, în valoare de ${total} ${currency}, a fost emisă.`,
        ...(due === null ? [] : [`Vă rugăm să o plătiți până la ${due}.`]),
      ],
      button: { label: 'Vedeți documentele', path: pages.billing },
      after: ['Documentul se află în contul dumneavoastră, ca PDF și ca factură electronică.'],
    }),
  },
}
