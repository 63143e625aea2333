import { declare, fill, type Language, type Parameter, type ParametersOf } from './refusal.ts'

/** Faults of a single value in a request. Forms check the same rules before they send. */
export const fieldRefusals = declare({
  value_required: [422, 'A value is required', 'Valoarea este obligatorie'],
  value_invalid: [422, 'Not a valid value', 'Valoarea nu este validă'],
  value_not_text: [422, 'Expected text', 'Valoarea trebuie să fie un text'],
  value_not_number: [422, 'Expected a number', 'Valoarea trebuie să fie un număr'],
  value_not_whole: [422, 'Expected a whole number', 'Valoarea trebuie să fie un număr întreg'],
  value_not_boolean: [422, 'Expected true or false', 'Valoarea trebuie să fie da sau nu'],
  value_not_list: [422, 'Expected a list', 'Valoarea trebuie să fie o listă'],
  value_not_among: [422, 'Expected one of {values}', 'Alege una dintre valorile: {values}'],
  value_not_only: [422, 'Expected {value}', 'Singura valoare posibilă este {value}'],
  moment_invalid: [
    422,
    'Enter a date and time, such as {example}',
    'Scrie data și ora, de exemplu {example}',
  ],
  moment_too_early: [422, 'Expected a moment after the year 2000', 'Momentul trebuie să fie după anul 2000'],
  day_invalid: [422, 'Enter a date such as {example}', 'Scrie data astfel: {example}'],
  day_out_of_range: [422, 'Enter a date from {first} to {last}', 'Scrie o dată din anii {first}–{last}'],
  month_invalid: [422, 'Enter a month such as {example}', 'Scrie luna astfel: {example}'],
  colour_invalid: [422, 'Enter a colour such as {example}', 'Scrie culoarea astfel: {example}'],
  id_invalid: [422, 'Expected a positive integer', 'Valoarea trebuie să fie un număr întreg pozitiv'],
  upload_index: [
    422,
    'The index of an upload is a number of up to 30 digits',
    'Indexul de încărcare este un număr de cel mult 30 de cifre',
  ],
  field_unknown: [422, 'There is no field {names}', 'Nu există câmpul {names}'],

  characters_missing: [422, 'At least one character', 'Cel puțin un caracter'],
  characters_least: [422, 'At least {least} characters', 'Cel puțin {least} caractere'],
  characters_most: [422, 'At most {most} characters', 'Cel mult {most} caractere'],
  characters_unfit: [
    422,
    'Contains characters that cannot be shown',
    'Conține caractere care nu pot fi afișate',
  ],
  entries_missing: [422, 'At least one entry', 'Cel puțin un element'],
  entries_least: [422, 'At least {least} entries', 'Cel puțin {least} elemente'],
  entries_most: [422, 'At most {most} entries', 'Cel mult {most} elemente'],
  number_least: [422, 'At least {least}', 'Cel puțin {least}'],
  number_most: [422, 'At most {most}', 'Cel mult {most}'],
  number_above: [422, 'More than {limit}', 'Mai mult de {limit}'],
  number_below: [422, 'Less than {limit}', 'Mai puțin de {limit}'],
  value_twice: [422, 'This is named twice', 'Apare de două ori'],
  plan_code_form: [
    422,
    'Use small letters without accents, digits and hyphens, at most 40',
    'Folosește litere mici fără diacritice, cifre și cratime, cel mult 40',
  ],
  price_form: [422, 'Enter an amount such as 8 or 8.50', 'Scrie o sumă, de exemplu 8 sau 8.50'],
  quantity_form: [422, 'Enter a quantity such as 5 or 0.5', 'Scrie o cantitate, de exemplu 5 sau 0.5'],
  decimals_most: [422, 'At most two decimals', 'Cel mult două zecimale'],

  email_required: [422, 'E-mail is required', 'E-mailul este obligatoriu'],
  email_invalid: [422, 'This is not a valid e-mail address', 'Adresa de e-mail nu este validă'],
  emails_invalid: [
    422,
    'Not a list of valid e-mail addresses',
    'Lista nu conține doar adrese de e-mail valide',
  ],
  addresses_most: [422, 'At most {most} addresses', 'Cel mult {most} adrese'],
  tag_form: [
    422,
    'Use letters, digits and hyphens, at most 30',
    'Folosește litere, cifre și cratime, cel mult 30',
  ],
  tags_most: [422, 'At most {most} tags', 'Cel mult {most} etichete'],
  password_required: [422, 'Password is required', 'Parola este obligatorie'],
  code_required: [422, 'A code is required', 'Codul este obligatoriu'],
  terms_not_accepted: [422, 'Accept the terms to continue', 'Acceptă termenii ca să continui'],
  phone_invalid: [
    422,
    'Not a valid phone number: check the country and the digits',
    'Numărul de telefon nu este valid: verifică țara și cifrele',
  ],
  url_invalid: [422, 'Not a valid web address', 'Adresa web nu este validă'],

  first_name_required: [422, 'First name is required', 'Prenumele este obligatoriu'],
  last_name_required: [422, 'Last name is required', 'Numele este obligatoriu'],
  company_name_required: [422, 'Company name is required', 'Numele companiei este obligatoriu'],
  vat_number_required: [422, 'VAT number is required', 'Codul de TVA este obligatoriu'],
  vat_number_impossible: [
    422,
    'A VAT number for {country} has the form {form} (9 is a digit), with correct check digits',
    'Un cod de TVA pentru {country} are forma {form} (9 este o cifră), cu cifra de control corectă',
  ],
  registration_number_impossible: [
    422,
    'A Romanian CUI has 2 to 10 digits with a correct check digit; a CNP is not accepted',
    'Un CUI are între 2 și 10 cifre, cu cifra de control corectă; CNP-ul nu se acceptă',
  ],
  name_required: [422, 'A name is required', 'Numele este obligatoriu'],
  project_name_required: [422, 'Project name is required', 'Numele spațiului de lucru este obligatoriu'],
  panel_name_required: [422, 'Panel name is required', 'Numele panoului este obligatoriu'],
  subject_required: [422, 'Subject is required', 'Subiectul este obligatoriu'],
  description_required: [422, 'Description is required', 'Descrierea este obligatorie'],
  message_required: [422, 'A message is required', 'Scrie un mesaj'],
  source_required: [422, 'Name the law or the page', 'Indică legea sau pagina'],
  reason_required: [422, 'A reason is required', 'Motivul este obligatoriu'],
  reference_required: [422, 'A reference is required', 'Referința este obligatorie'],
  note_required: [422, 'A note is required', 'Nota este obligatorie'],

  api_address_invalid: [422, 'Not an IP address or a network', 'Nu este o adresă IP sau o rețea'],
  api_address_required: [422, 'Enter at least one address', 'Scrie cel puțin o adresă'],
  api_scope_required: [422, 'Choose at least one', 'Alege cel puțin una'],
  workspace_named_twice: [422, 'A workspace is listed twice', 'Un spațiu de lucru apare de două ori'],

  card_number_invalid: [422, 'Enter the card number', 'Scrie numărul cardului'],
  card_expiry_invalid: [422, 'Enter the month and the year as MM/YY', 'Scrie luna și anul ca LL/AA'],
  card_cvc_invalid: [422, 'Enter the three or four digits', 'Scrie cele trei sau patru cifre'],

  usage_resource_invalid: [422, 'Expected kind/id, or panel', 'Valoarea trebuie să fie tip/id sau panel'],
  usage_quantity_invalid: [
    422,
    'Expected a decimal of at most 10^9 as a string',
    'Valoarea trebuie să fie un număr zecimal de cel mult 10^9, scris ca text',
  ],
  usage_id_invalid: [
    422,
    'Expected 1 to 200 visible ASCII characters',
    'Valoarea trebuie să aibă între 1 și 200 de caractere ASCII vizibile',
  ],
  usage_subject_invalid: [
    422,
    'Expected panel/ and the id of the panel',
    'Valoarea trebuie să fie panel/ urmat de id-ul panoului',
  ],
})

export type FieldRefusalCode = keyof typeof fieldRefusals
type Parameters<C extends FieldRefusalCode> = ParametersOf<(typeof fieldRefusals)[C]>

/** A refusal of a value: its code and parameters. */
export type FieldRefusal = {
  readonly code: FieldRefusalCode
  readonly parameters: Readonly<Record<string, Parameter>>
}

/**
 * The error message of a schema rule: the code of a refusal, with its parameters as JSON. Only `fault`
 * creates one.
 */
export type Fault = string & { readonly of: FieldRefusalCode }

export const fault = <C extends FieldRefusalCode>(
  code: C,
  ...[parameters]: keyof Parameters<C> extends never ? [] : [Parameters<C>]
): Fault =>
  // The brand exists for the compiler only: it rejects a sentence where a code is expected.
  (parameters === undefined ? code : `${code}${JSON.stringify(parameters)}`) as Fault

/** The refusal that `fault` encoded into the message of a rule. */
export function faultOf(message: string): FieldRefusal {
  const [, code = '', parameters = '{}'] = /^(\w+)(\{.*\})?$/s.exec(message) ?? []
  // Every schema rule gets its message from `fault`; `nameFaults` does the same for zod's own rules.
  if (!Object.hasOwn(fieldRefusals, code)) return { code: 'value_invalid', parameters: {} }
  return { code: code as FieldRefusalCode, parameters: JSON.parse(parameters) }
}

/** The message of a schema rule as a sentence. */
export function faultInWords(message: string, language: Language): string {
  const { code, parameters } = faultOf(message)
  return fill(fieldRefusals[code], parameters, language)
}
