import type { ActionName, Registry, TypeName } from '@portico/contract/index.ts'
import type * as z from 'zod/mini'

export type ActionOf<T extends TypeName, X extends ActionName<T>> = Registry[T]['actions'][X]
/** The input and output of an action, and whether it is called on one resource. */
export type Input<A> = A extends { input: infer I extends z.ZodMiniType } ? z.input<I> : never
export type Output<A> = A extends { output: infer O extends z.ZodMiniType } ? z.output<O> : never
export type On<A> = A extends { on: 'one' } ? { readonly id: number | string } : unknown

/** The actions that only read. */
export type Telling<T extends TypeName> = {
  [X in ActionName<T>]: ActionOf<T, X> extends { method: 'GET' } ? X : never
}[ActionName<T>]
