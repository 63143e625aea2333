import type { Plugin } from 'vite'

// The library brings fourteen palettes as variables; the portal has its own colours and uses these of theirs.
const unused = [
  'pink',
  'grape',
  'violet',
  'indigo',
  'blue',
  'cyan',
  'teal',
  'green',
  'lime',
  'yellow',
  'orange',
]
const lines = new RegExp(`^\\s*--mantine-color-(?:${unused.join('|')})-[^;]*;$`, 'gm')

/** Drops the palettes that nothing here uses from the styles of the first paint. */
export function usedColours(): Plugin {
  return {
    name: 'used-colours',
    enforce: 'pre',
    transform: (code, id) => (id.includes('default-css-variables') ? code.replace(lines, '') : undefined),
  }
}
