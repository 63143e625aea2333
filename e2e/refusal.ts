import { type RefusalCode, refusals } from '@portico/contract/refusals/index.ts'
import { fill, type Parameter } from '@portico/contract/refusals/refusal.ts'
import { locale } from '../web/src/texts/locale.ts'

/** The text of a refusal in the language of the test. */
export const refusal = (code: RefusalCode, parameters: Readonly<Record<string, Parameter>> = {}): string =>
  fill(refusals[code], parameters, locale() === 'ro' ? 'ro' : 'en')
