import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { NoteBanner } from './note-banner.tsx'

test('a prerendered page, which every portal shares, has no notes', () => {
  expect(renderToStaticMarkup(<NoteBanner />)).toBe('')
})
