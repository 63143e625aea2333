import { modelsOf } from '#platform/jsonapi/declare/model.ts'
import { served } from './registry.ts'

/** Every served type, prepared once; rooms receive the parts they need. */
export const models = modelsOf(Object.values(served))
