import { type RefusalCode, refusals } from '@portico/contract/refusals/index.ts'
import { fill, type Parameter } from '@portico/contract/refusals/refusal.ts'
import { locale } from '../web/src/texts/locale.ts'

/** What the portal says of a refusal, in the language that the test reads. */
export const refusal = (code: RefusalCode, parameters: Readonly<Record<string, Parameter>> = {}): string =>
  fill(refusals[code], parameters, locale() === 'ro' ? 'ro' : 'en')
