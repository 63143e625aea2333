import { type ComponentType, lazy } from 'react'
import { chunk } from './chunk.ts'

/** A component that is loaded when it is first shown. */
export const lazily = <P>(load: () => Promise<ComponentType<P>>) =>
  lazy(async () => ({ default: await chunk(load) }))
