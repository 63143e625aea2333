import { brand, capital, dayIn, type Language, moneyIn, pages } from '#notifications/letters/words.ts'

const day = dayIn('ro-RO')

const sentKinds = { fiscal: 'factura', credit_note: 'factura de stornare', proforma: 'proforma' } as const

/** States whether the files of a document are attached or only in the account. */
function whereFilesAre(formats: readonly ('pdf' | 'xml')[] = []): string {
  if (formats.includes('pdf') && formats.includes('xml'))
    return 'PDF-ul și factura electronică (XML) sunt atașate și se află și în contul tău.'
  if (formats.includes('pdf')) return 'PDF-ul este atașat și se află și în contul tău.'
  return 'Documentul se află în contul tău, ca PDF și ca factură electronică.'
}

/** As `whereFilesAre`, of a document that has no electronic invoice. */
const whereProformaIs = (formats: readonly ('pdf' | 'xml')[] = []): string =>
  formats.includes('pdf') ? whereFilesAre(formats) : 'Documentul se află în contul tău, ca PDF.'

/** Romanian letters about documents. */
export const documentLetters: Pick<Language['letters'], 'invoice-copy' | 'document-sent' | 'invoice-issued'> =
  {
    'invoice-copy': ({ number }) => ({
      subject: `Documentul ${number}`,
      say: [`Cineva care se ocupă de un cont ${brand} vrea să ai documentul ${number}.`],
      button: { label: 'Vezi documentele', path: pages.billing },
      after: ['Ca să îl vezi, conectează-te cu un cont care are acces la facturare.'],
    }),
    'document-sent': ({ what, number, on, total: amount, currency, open, attached }) => ({
      subject: `${capital(sentKinds[what])} ${number}`,
      say: [
        `Îți trimitem ${sentKinds[what]} ${number}${on === null ? '' : ` din ${day(on)}`}, în valoare de ${moneyIn({ amount, currency })}.`,
        ...(open === null
          ? []
          : [
              `De plată: ${moneyIn({ amount: open.amount, currency })}${open.due === null ? '' : `, cu termen la ${day(open.due)}`}.`,
            ]),
      ],
      button: { label: 'Vezi documentele', path: pages.billing },
      after: [what === 'proforma' ? whereProformaIs(attached?.formats) : whereFilesAre(attached?.formats)],
    }),
    'invoice-issued': ({ what, number, total, currency, due, attached }) => ({
      subject: what === 'fiscal' ? `Factura ${number}` : `Factura de stornare ${number}`,
      say: [
        what === 'fiscal'
          ? `Factura ${number}, în valoare de ${moneyIn({ amount: total, currency })}, a fost emisă.`
          : `Factura de stornare ${number}, în valoare de ${moneyIn({ amount: total, currency })}, a fost emisă.`,
        ...(due === null ? [] : [`Te rugăm să o plătești până pe ${day(due)}.`]),
        ...(what === 'fiscal' && due === null ? ['Nu mai ai nimic de plătit pentru ea.'] : []),
      ],
      button: { label: 'Vezi documentele', path: pages.billing },
      after: [whereFilesAre(attached?.formats)],
    }),
  }
