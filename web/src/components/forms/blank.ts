import type { Schema } from '@portico/contract/jsonapi.ts'
import type * as z from 'zod/mini'

/** The rule of an attribute that may be missing, for a field: there, nothing is an empty text. */
export const filled = <S extends Schema>(attribute: z.ZodMiniNullable<S>): S => attribute.def.innerType

/** What a field left empty means on the wire: that there is none. */
export const orNull = (text: string): string | null => (text === '' ? null : text)
