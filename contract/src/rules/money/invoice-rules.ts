type Words = { readonly en: string; readonly ro: string }

// In the order in which they are tried; the first one that fits says it.
const words: readonly (readonly [rules: RegExp, said: Words])[] = [
  [/^BR-06$/, { en: 'the company’s name is missing', ro: 'lipsește denumirea firmei noastre' }],
  [/^BR-07$/, { en: 'the customer’s name is missing', ro: 'lipsește numele clientului' }],
  [/^BR-09$/, { en: 'the company’s country is missing', ro: 'lipsește țara firmei noastre' }],
  [/^BR-11$/, { en: 'the customer’s country is missing', ro: 'lipsește țara clientului' }],
  [/^BR-RO-081$/, { en: 'the company’s street is missing', ro: 'lipsește strada firmei noastre' }],
  [/^BR-RO-082$/, { en: 'the customer’s street is missing', ro: 'lipsește strada clientului' }],
  [/^BR-RO-091$/, { en: 'the company’s city is missing', ro: 'lipsește localitatea firmei noastre' }],
  [/^BR-RO-092$/, { en: 'the customer’s city is missing', ro: 'lipsește localitatea clientului' }],
  [
    /^BR-RO-10[01]$/,
    {
      en: 'in Bucharest the city is written SECTOR1 to SECTOR6',
      ro: 'în București localitatea se scrie SECTOR1 până la SECTOR6',
    },
  ],
  [/^BR-RO-11[01]$/, { en: 'an address in Romania needs its county', ro: 'adresa din România nu are județ' }],
  [
    /^BR-RO-065$|^BR-CO-26$|^BR-S-02$/,
    { en: 'the company’s tax or VAT number is missing', ro: 'lipsește codul fiscal al firmei noastre' },
  ],
  [
    /^BR-RO-120$|^BR-AE-02$/,
    { en: 'the customer’s tax or VAT number is missing', ro: 'lipsește codul fiscal al clientului' },
  ],
  [
    /^BR-O-02$/,
    {
      en: 'what is not subject to VAT cannot stand beside VAT numbers',
      ro: 'ce nu este supus TVA nu poate apărea alături de coduri de TVA',
    },
  ],
  [
    /^UBL-SR-53$|^BR-CO-09$/,
    {
      en: 'a VAT number does not begin with its country',
      ro: 'un cod de TVA nu începe cu codul țării',
    },
  ],
  [
    /^BR-50$/,
    { en: 'the company’s bank account is missing', ro: 'lipsește contul bancar al firmei noastre' },
  ],
  [/^BR-RO-L\d+$/, { en: 'a text is too long', ro: 'un text este prea lung' }],
  [/^BR-RO-030$|^BR-53$/, { en: 'VAT in lei is missing', ro: 'lipsește valoarea TVA în lei' }],
  [/^BR-CL-14$/, { en: 'a country has no official code', ro: 'o țară nu are cod oficial' }],
  [
    /^BR-CL-|^BR-05$/,
    { en: 'a currency or unit has no official code', ro: 'o monedă sau o unitate nu are cod oficial' },
  ],
  [
    /^BR-03$|^BR-29$|^BR-RO-DT$|^BR-CO-25$/,
    { en: 'a date is missing or wrong', ro: 'o dată lipsește sau este greșită' },
  ],
  [
    /^BR-02$|^BR-RO-010$|^BR-55$/,
    { en: 'a document number is missing', ro: 'lipsește un număr de document' },
  ],
  [/^BR-16$|^BR-25$|^BR-27$/, { en: 'a line is not complete', ro: 'o linie nu este completă' }],
  [
    /^BR-(?:S|AE|O)-|^BR-CO-1[78]$/,
    { en: 'the VAT does not follow from the lines', ro: 'TVA nu rezultă din linii' },
  ],
  [/^BR-CO-1\d$/, { en: 'the sums do not add up', ro: 'sumele nu se adună corect' }],
]

const other: Words = { en: 'see the rule of EN 16931', ro: 'vezi regula din EN 16931' }

/** The findings of rules of EN 16931 and CIUS-RO, by code. */
export const invoiceRuleInWords = (rule: string): Words =>
  words.find(([rules]) => rules.test(rule))?.[1] ?? other
