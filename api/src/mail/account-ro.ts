import { type Language, momentIn, pages } from './words.ts'

const moment = momentIn('ro')

/** What is written about an account as a whole and what runs in it, in Romanian. */
export const accountLetters: Pick<
  Language['letters'],
  'account-closed' | 'data-export-ready' | 'panel-degraded'
> = {
  'account-closed': ({ erased }) => ({
    subject: 'Contul dumneavoastră este închis',
    say: [
      'Contul dumneavoastră a fost închis. Nimeni nu se mai poate conecta la el, cheile API, cardurile și plățile automate au fost oprite, iar cei cu care l-ați partajat nu mai au acces.',
      `Facturile, plățile și evidența contabilă se păstrează atât cât cere legea. Tot ce vă mai privește se șterge după ${moment(erased)}.`,
    ],
    button: { label: 'Mergeți la pagina de conectare', path: pages.signIn },
    after: [
      'Dacă ați fost dumneavoastră, nu aveți nimic de făcut. Dacă nu, scrieți echipei de asistență înainte de acea zi: până atunci contul poate fi readus.',
    ],
  }),
  'data-export-ready': ({ until }) => ({
    subject: 'Copia datelor dumneavoastră este gata',
    say: [
      'Copia a tot ce păstrăm despre dumneavoastră este gata.',
      `O puteți descărca din cont până la ${moment(until)}. Înainte vi se cere să confirmați cine sunteți.`,
    ],
    button: { label: 'Descărcați copia', path: pages.copy },
    after: [
      'Dacă nu ați cerut-o, altcineva este conectat la contul dumneavoastră: schimbați imediat parola și închideți celelalte sesiuni.',
    ],
  }),
  'panel-degraded': ({ panel }) => ({
    subject: 'Un panou are nevoie de atenție',
    say: [`Panoul ${panel} nu funcționează cum trebuie.`],
    button: { label: 'Vedeți panourile', path: pages.dashboard },
    after: ['În contul dumneavoastră alegeți ce mesaje de acest fel primiți.'],
  }),
}
