import { modelsOf } from '#platform/jsonapi/declare/model.ts'
import { served } from './registry.ts'

/** Every served type, prepared once; rooms are handed what they need of it. */
export const models = modelsOf(Object.values(served))
