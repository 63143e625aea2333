import { brand, capital, dayIn, type Language, moneyIn, pages } from '#notifications/letters/words.ts'

const day = dayIn('en-GB')

const sentKinds = { fiscal: 'invoice', credit_note: 'credit note', proforma: 'proforma' } as const

/** States whether the files of a document are attached or only in the account. */
function whereFilesAre(formats: readonly ('pdf' | 'xml')[] = []): string {
  if (formats.includes('pdf') && formats.includes('xml'))
    return 'The PDF and the electronic invoice (XML) are attached, and are in your account too.'
  if (formats.includes('pdf')) return 'The PDF is attached, and is in your account too.'
  return 'The document itself is in your account, as a PDF and as an electronic invoice.'
}

/** As `whereFilesAre`, of a document that has no electronic invoice. */
const whereProformaIs = (formats: readonly ('pdf' | 'xml')[] = []): string =>
  formats.includes('pdf') ? whereFilesAre(formats) : 'The document itself is in your account, as a PDF.'

/** English letters about documents. */
export const documentLetters: Pick<Language['letters'], 'invoice-copy' | 'document-sent' | 'invoice-issued'> =
  {
    'invoice-copy': ({ number }) => ({
      subject: `Document ${number}`,
      say: [`Someone who manages a ${brand} account wants you to have document ${number}.`],
      button: { label: 'See documents', path: pages.billing },
      after: ['To see it, sign in with an account that has access to billing.'],
    }),
    'document-sent': ({ what, number, on, total: amount, currency, open, attached }) => ({
      subject: `${capital(sentKinds[what])} ${number}`,
      say: [
        `We are sending you ${sentKinds[what]} ${number}${on === null ? '' : ` of ${day(on)}`}, for ${moneyIn({ amount, currency })}.`,
        ...(open === null
          ? []
          : [
              `To pay: ${moneyIn({ amount: open.amount, currency })}${open.due === null ? '' : `, due on ${day(open.due)}`}.`,
            ]),
      ],
      button: { label: 'See documents', path: pages.billing },
      after: [what === 'proforma' ? whereProformaIs(attached?.formats) : whereFilesAre(attached?.formats)],
    }),
    'invoice-issued': ({ what, number, total, currency, due, attached }) => ({
      subject: what === 'fiscal' ? `Invoice ${number}` : `Credit note ${number}`,
      say: [
        what === 'fiscal'
          ? `Invoice ${number} for ${moneyIn({ amount: total, currency })} is ready.`
          : `Credit note ${number} for ${moneyIn({ amount: total, currency })} is ready.`,
        ...(due === null ? [] : [`Please pay it by ${day(due)}.`]),
        ...(what === 'fiscal' && due === null ? ['Nothing is left to pay.'] : []),
      ],
      button: { label: 'See documents', path: pages.billing },
      after: [whereFilesAre(attached?.formats)],
    }),
  }
