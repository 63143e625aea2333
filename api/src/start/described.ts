import type { Described } from '#platform/openapi/data-api.ts'
import { served } from './registry.ts'

/** Every type that is served, as far as it is described. */
export const describedTypes: readonly Described[] = Object.values(served).map(({ contract, binding }) => ({
  contract,
  csv: binding.csv !== undefined,
}))
