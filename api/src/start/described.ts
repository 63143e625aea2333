import type { Described } from '#platform/openapi/data-api.ts'
import { served } from './registry.ts'

/** Every served type with its description. */
export const describedTypes: readonly Described[] = Object.values(served).map(({ contract, binding }) => ({
  contract,
  csv: binding.csv !== undefined,
}))
