import { faultInWords } from '@portico/contract/refusals/fields.ts'
import { language } from '../stores/language.ts'

/**
 * The sentence of a schema rule about a typed value. It is separate so that pages without a form do not load
 * the sentences.
 */
export const fieldFault = (message: string): string => faultInWords(message, language())
