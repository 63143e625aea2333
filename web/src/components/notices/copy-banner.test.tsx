import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { CopyBanner } from './copy-banner.tsx'

test('a prerendered page, which every portal shares, is not called a copy', () => {
  expect(renderToStaticMarkup(<CopyBanner />)).toBe('')
})
