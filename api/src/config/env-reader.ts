import type * as z from 'zod/mini'
import type { checks } from './env-checks.ts'
import { variables } from './env-variables.ts'

type Source = Record<string, string | undefined>

/** Reads one variable; adds its fault to the list, and returns the default for a missing one. */
export const reader =
  (source: Source, wrong: string[]) =>
  <T, Otherwise>(
    name: keyof typeof checks,
    check: z.ZodMiniType<T, string>,
    otherwise: Otherwise,
  ): T | Otherwise => {
    const text = source[name]?.trim()
    // Compose files and shells use an empty value for an unset variable.
    if (text === undefined || text === '') return otherwise
    const result = check.safeParse(text)
    if (result.success) return result.data
    const { secret, expected } = variables[name]
    wrong.push(
      `${name}: found ${secret ? 'a value (not shown)' : JSON.stringify(text)}, expected ${expected}.`,
    )
    return otherwise
  }

export type Read = ReturnType<typeof reader>
