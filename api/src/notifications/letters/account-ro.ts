import { viewMinutes } from '@portico/contract/rules/view-minutes.ts'
import { brand, type Language, momentIn, pages } from './words.ts'

const moment = momentIn('ro')

/** Romanian letters about an account and its panels. */
export const accountLetters: Pick<
  Language['letters'],
  | 'account-closed'
  | 'account-closed-by-staff'
  | 'data-export-ready'
  | 'panel-degraded'
  | 'panel-stopped'
  | 'panel-terminated'
  | 'panels-stopped'
  | 'panels-terminated'
  | 'two-factor-reset'
  | 'email-change-by-staff'
  | 'email-confirmed-by-staff'
  | 'sessions-ended'
  | 'account-blocked'
  | 'account-unblocked'
  | 'account-viewed'
  | 'announcement'
  | 'newsletter'
> = {
  announcement: ({ title, lines }) => ({
    subject: title,
    say: lines.length > 0 ? lines : [title],
    button: { label: 'Vezi panourile', path: pages.dashboard },
    after: [`Primești acest mesaj pentru că ești client ${brand}.`],
  }),
  newsletter: ({ title, lines, unsubscribe }) => ({
    subject: title,
    say: lines.length > 0 ? lines : [title],
    after: [`Primești acest mesaj pentru că ești client ${brand}. Dacă nu mai vrei noutăți prin e-mail:`],
    other: { label: 'Oprește noutățile prin e-mail', path: unsubscribe },
  }),
  'account-closed': ({ erased }) => ({
    subject: 'Contul tău este închis',
    say: [
      'Contul tău a fost închis. Nimeni nu se mai poate conecta la el, cheile API, cardurile și plata automată au încetat, iar cei cărora le-ai partajat ceva nu mai au acces.',
      `Facturile, plățile și evidența contabilă se păstrează atât cât cere legea. Tot ce te mai privește se șterge după ${moment(erased)}.`,
    ],
    button: { label: 'Mergi la pagina de conectare', path: pages.signIn },
    after: [
      'Dacă ai fost tu, nu ai nimic de făcut. Dacă nu, scrie echipei de suport înainte de acea zi: până atunci contul poate fi recuperat.',
    ],
  }),
  'account-closed-by-staff': ({ reason, erased }) => ({
    subject: 'Echipa noastră ți-a închis contul',
    say: [
      'Echipa noastră ți-a închis contul. Nimeni nu se mai poate conecta la el, cheile API, cardurile și plata automată au încetat, iar cei cărora le-ai partajat ceva nu mai au acces.',
      `Motivul: ${reason}`,
      `Facturile, plățile și evidența contabilă se păstrează atât cât cere legea. Tot ce te mai privește se șterge după ${moment(erased)}.`,
    ],
    button: { label: 'Mergi la pagina de conectare', path: pages.signIn },
    after: [
      'Dacă nu ai cerut acest lucru, scrie echipei de suport înainte de acea zi: până atunci contul poate fi recuperat.',
    ],
  }),
  'data-export-ready': ({ until, byStaff }) => ({
    subject: 'Copia datelor tale este gata',
    say: [
      ...(byStaff
        ? ['Echipa noastră a pregătit copia a tot ce păstrăm despre tine.']
        : ['Copia a tot ce păstrăm despre tine este gata.']),
      `O poți descărca din cont până pe ${moment(until)}. Mai întâi îți cerem să confirmi că ești tu.`,
    ],
    button: { label: 'Descarcă copia', path: pages.copy },
    after: [
      byStaff
        ? 'Nimeni altcineva nu o poate descărca. Dacă nu ai cerut-o, scrie-ne.'
        : 'Dacă nu ai cerut-o tu, altcineva este conectat la contul tău: schimbă imediat parola și deconectează celelalte dispozitive.',
    ],
  }),
  'panel-degraded': ({ panel }) => ({
    subject: 'Un panou are nevoie de atenție',
    say: [`Panoul ${panel} are probleme.`],
    button: { label: 'Vezi panourile', path: pages.dashboard },
    after: ['În contul tău poți alege ce mesaje de acest fel primești.'],
  }),
  'panel-stopped': ({ panel, reason }) => ({
    subject: 'Echipa noastră a oprit unul dintre panourile tale',
    say: [
      `Echipa noastră a oprit panoul ${panel}. Nu poate fi deschis și nimic din el nu mai rulează.`,
      `Motivul: ${reason}`,
    ],
    button: { label: 'Scrie-ne', path: pages.tickets },
    after: [
      'Nu s-a șters nimic din el. Va rula din nou când echipa noastră ridică oprirea; o plată nu îl repornește.',
    ],
  }),
  'panel-terminated': ({ panel, reason }) => ({
    subject: 'Echipa noastră a șters unul dintre panourile tale',
    say: [
      `Echipa noastră a șters panoul ${panel}, cu tot ce conținea. Nu mai costă nimic.`,
      `Motivul: ${reason}`,
    ],
    button: { label: 'Scrie-ne', path: pages.tickets },
    after: ['Dacă crezi că este o greșeală, scrie-ne imediat.'],
  }),
  'panels-stopped': ({ panels, reason }) => ({
    subject: 'Echipa noastră a oprit panourile contului tău',
    say: [
      'Echipa noastră a oprit toate panourile contului tău. Nu pot fi deschise, nimic din ele nu mai rulează și nu poți adăuga altele.',
      ...(panels.length > 0 ? [`Oprite acum: ${panels.join(', ')}`] : []),
      `Motivul: ${reason}`,
    ],
    button: { label: 'Scrie-ne', path: pages.tickets },
    after: [
      'Nu s-a șters nimic din ele. Vor rula din nou când echipa noastră ridică oprirea; o plată nu le repornește.',
    ],
  }),
  'panels-terminated': ({ panels, reason }) => ({
    subject: 'Echipa noastră a șters panourile contului tău',
    say: [
      'Echipa noastră a șters aceste panouri, cu tot ce conțineau. Nu mai costă nimic.',
      panels.join(', '),
      `Motivul: ${reason}`,
    ],
    button: { label: 'Scrie-ne', path: pages.tickets },
    after: ['Dacă crezi că este o greșeală, scrie-ne imediat.'],
  }),
  'two-factor-reset': ({ reason }) => ({
    subject: 'Echipa noastră ți-a dezactivat autentificarea în doi pași',
    say: [
      'Echipa noastră a dezactivat autentificarea în doi pași pentru contul tău. Toate dispozitivele au fost deconectate, iar la conectare nu se mai cere un cod.',
      `Motivul: ${reason}`,
    ],
    button: { label: 'Scrie-ne', path: pages.tickets },
    after: ['Dacă nu ai cerut acest lucru, schimbă-ți parola acum și scrie-ne.'],
  }),
  'email-change-by-staff': ({ email, reason }) => ({
    subject: 'Echipa noastră schimbă adresa contului tău',
    say: [
      `Echipa noastră a început schimbarea adresei contului tău în ${email}. Adresa se schimbă când este urmat linkul trimis acolo.`,
      `Motivul: ${reason}`,
    ],
    button: { label: 'Scrie-ne', path: pages.tickets },
    after: ['Dacă nu ai cerut acest lucru, scrie-ne imediat. Poți anula schimbarea și după ce are loc.'],
  }),
  'email-confirmed-by-staff': ({ reason }) => ({
    subject: 'Echipa noastră ți-a confirmat adresa',
    say: [
      'Echipa noastră a confirmat adresa de e-mail a contului tău. Te poți conecta acum cu parola ta.',
      `Motivul: ${reason}`,
    ],
    button: { label: 'Mergi la pagina de conectare', path: pages.signIn },
    after: [
      'Dacă nu te-ai înregistrat tu, setează imediat o parolă nouă: persoana care s-a înregistrat o știe pe cea de acum.',
    ],
  }),
  'sessions-ended': ({ reason }) => ({
    subject: 'Echipa noastră te-a deconectat de pe toate dispozitivele',
    say: [
      'Echipa noastră a închis toate sesiunile contului tău: toate dispozitivele au fost deconectate. Panourile funcționează în continuare, iar cheile API rămân valabile.',
      `Motivul: ${reason}`,
    ],
    button: { label: 'Mergi la pagina de conectare', path: pages.signIn },
    after: [
      'Dacă altcineva era conectat în numele tău, setează o parolă nouă și verifică-ți cheile API și metodele de conectare.',
    ],
  }),
  'account-blocked': ({ reason }) => ({
    subject: 'Contul tău este blocat',
    say: [
      'Echipa noastră a blocat contul tău. Nimeni nu se mai poate conecta la el, cheile API sunt refuzate, iar panourile sunt oprite.',
      `Motivul: ${reason}`,
    ],
    after: [
      'Nu s-a șters nimic, iar planurile panourilor nu costă nimic în acest timp. Dacă crezi că este o greșeală, contactează echipa de suport.',
    ],
  }),
  'account-viewed': ({ by, reason }) => ({
    subject: 'Echipa noastră se uită la contul tău',
    say: [
      `${by} din echipa noastră a deschis contul tău ca să îl vadă așa cum îl vezi tu, cel mult ${viewMinutes} de minute. În acest mod nu se poate modifica nimic, iar cheile, cardurile și fișierele nu se afișează.`,
      `Motivul: ${reason}`,
    ],
    button: { label: 'Vezi activitatea contului', path: pages.account },
    after: ['Dacă ai o întrebare despre aceasta, scrie-ne.'],
  }),
  'account-unblocked': () => ({
    subject: 'Contul tău nu mai este blocat',
    say: ['Echipa noastră a ridicat blocarea contului. Te poți conecta din nou, iar panourile pornesc.'],
    button: { label: 'Mergi la pagina de conectare', path: pages.signIn },
    after: [],
  }),
}
