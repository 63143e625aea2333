import type { Schema } from '@portico/contract/jsonapi.ts'
import type * as z from 'zod/mini'

/** Adapts the rule of an optional attribute to a field, where an empty text means none. */
export const filled = <S extends Schema>(attribute: z.ZodMiniNullable<S>): S => attribute.def.innerType

/** The wire value of an empty field: null. */
export const orNull = (text: string): string | null => (text === '' ? null : text)
