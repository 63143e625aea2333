import { faultInWords } from '@portico/contract/refusals/fields.ts'
import { language } from '../stores/language.ts'

/** What a rule of the contract says of a value that was typed. Pages without a form do not load its sentences. */
export const fieldFault = (message: string): string => faultInWords(message, language())
