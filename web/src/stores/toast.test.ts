import { afterEach, beforeEach, expect, test, vi } from 'vitest'

beforeEach(() => {
  vi.resetModules()
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('the same message said again replaces the first, and others stay', async () => {
  const { shownToasts, toast } = await import('./toast.ts')
  toast('Error', 'An error occurred', 'bad')
  toast('staging was saved')
  toast('Error', 'An error occurred', 'bad')
  expect(shownToasts().map(({ title }) => title)).toEqual(['staging was saved', 'Error'])
})

test('the one that was said again is shown its full time', async () => {
  const { shownToasts, toast } = await import('./toast.ts')
  toast('Error', 'An error occurred', 'bad')
  vi.advanceTimersByTime(4_000)
  toast('Error', 'An error occurred', 'bad')
  vi.advanceTimersByTime(4_000)
  expect(shownToasts()).toHaveLength(1)
  vi.advanceTimersByTime(1_000)
  expect(shownToasts()).toEqual([])
})
