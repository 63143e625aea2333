import { expect, test } from 'vitest'
import { contrast, contrastOfWhite, isColour, leastContrast, shadesOf } from './accent.ts'

test('the contrast is that of WCAG', () => {
  expect(contrast('#ffffff', '#000000')).toBeCloseTo(21, 5)
  expect(contrastOfWhite('#777777')).toBeCloseTo(4.48, 2)
  expect(contrastOfWhite('#ffcc00')).toBeCloseTo(1.5, 1)
})

test.each(['#3f53c8', '#0f5c4d'])('%s is a colour', (text) => expect(isColour(text)).toBe(true))
test.each(['3f53c8', '#3f53c', '#3f53c8;', 'red', '#3F53C8', ''])('%j is none', (text) =>
  expect(isColour(text)).toBe(false),
)

const steps = Array.from({ length: 18 }, (_, at) => (at * 15).toString(16).padStart(2, '0'))
const colours = steps.flatMap((r) => steps.flatMap((g) => steps.map((b) => `#${r}${g}${b}`)))

test('every accent that takes white text is read and seen in both schemes', () => {
  const taken = colours.filter((one) => contrastOfWhite(one) >= leastContrast.text)
  expect(taken.length).toBeGreaterThan(1000)
  const faults = taken.flatMap((accent) => {
    const { light, dark } = shadesOf(accent)
    const found = {
      'text, light': Math.min(contrast(light.text, light.soft), contrast(light.text, '#f1f3f6')) - 4.5,
      'text, dark': Math.min(contrast(dark.text, dark.soft), contrast(dark.text, '#161b22')) - 4.5,
      'button, dark': contrastOfWhite(dark.filled) - 4.5,
      'outline, dark': contrast(dark.filled, '#161b22') - 3,
      'button under a pointer': contrastOfWhite(light.hover) - 4.5,
    }
    return Object.entries(found).flatMap(([what, left]) => (left < 0 ? [`${accent} ${what} ${left}`] : []))
  })
  expect(faults).toEqual([])
})
