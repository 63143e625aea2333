import { served } from '../resources/index.ts'
import type { Described } from './data-api.ts'

/** Every type that is served, as far as it is described. */
export const describedTypes: readonly Described[] = Object.values(served).map(({ contract, binding }) => ({
  contract,
  csv: binding.csv !== undefined,
}))
