import { sampled } from './sweep.ts'

const light = { colorScheme: 'light', width: 1280 } as const
const dark = { colorScheme: 'dark', width: 360 } as const

const both = [light, dark] as const

function chosen() {
  if (process.env.ALL_LOOKS) return [...both, { ...light, width: 360 }, { ...dark, width: 1280 }] as const
  return sampled(2, both)
}

/**
 * In which theme and at which width pages are looked at: one of two by the seed of the run, both in `npm run test:long`, or
 * every pair with ALL_LOOKS, which has not yet found what the two did not.
 */
export const looks = chosen()

/** The settings of a page in a look. */
export const seenAs = ({ colorScheme, width }: (typeof looks)[number]) => ({
  colorScheme,
  viewport: { width, height: 800 },
})
