import { type RawBuilder, sql } from 'kysely'

type Name = readonly [en: string, ro: string]

/** The names of accounts by the beginning of their code; {1} and {2} are the parts of the code after its first one. */
export const accountNames: Readonly<Record<string, Name>> = {
  client_balance: ['Balances of clients', 'Soldurile clienților'],
  client_credit: ['Promotional credit of clients', 'Creditul promoțional al clienților'],
  client_vat_due: ['VAT owed by clients', 'TVA datorată de clienți'],
  psp: ['Payment provider {1}', 'Procesatorul de plăți {1}'],
  bank: ['Bank', 'Banca'],
  suspense: ['Transfers not assigned yet', 'Transferuri încă nealocate'],
  'revenue:usage': ['Revenue from usage', 'Venituri din consum'],
  'revenue:other': ['Other revenue', 'Alte venituri'],
  vat: ['VAT collected, {1} {2}%', 'TVA colectată, {1} {2}%'],
  adjustment: ['Adjustments by staff', 'Corecții făcute de echipă'],
  promo: ['Promotional credit given', 'Credit promoțional acordat'],
  goodwill: ['Goodwill credit given', 'Credit acordat din bunăvoință'],
  chargeback: ['Money that banks took back', 'Bani retrași de bănci'],
  writeoff: ['Written off as a loss', 'Creanțe anulate ca pierdere'],
  fees: ['Fees of payment providers', 'Comisioanele procesatorilor de plăți'],
  opening: ['Balances from before the portal', 'Solduri dinaintea portalului'],
  rounding: ['Rounding to the smallest unit', 'Rotunjire la cea mai mică unitate'],
}

const part = (code: RawBuilder<unknown>, at: number) => sql`split_part(${code}, ':', ${sql.lit(at)})`

/** SQL: the name of an account in a language; null of one that has none. */
export const accountName = (code: RawBuilder<unknown>, language: 'en' | 'ro') =>
  sql<string | null>`case ${sql.join(
    Object.entries(accountNames).map(
      ([beginning, [en, ro]]) =>
        sql`when ${code} like ${sql.lit(`${beginning}:%`)} then replace(replace(${sql.lit(language === 'en' ? en : ro)},
          '{1}', case when ${part(code, 1)} = 'psp' then initcap(${part(code, 2)}) else ${part(code, 2)} end), '{2}', ${part(code, 3)})`,
    ),
    sql` `,
  )} end`
