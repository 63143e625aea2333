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
const palettes = new RegExp(`^\\s*--mantine-color-(?:${unused.join('|')})-[^;]*;$`, 'gm')

/** Every length may be scaled by one variable, which is 1 here. */
const scaled = /calc\((-?[\d.]+rem) \* var\(--mantine-scale\)\)/g

/** The library also styles shadow roots, of which there are none. */
const shadowRoots = /,\s*:host(?:\([^)]*\))?(?=\s*\{)/g

const librarys = /\/@mantine\/(?:core|dates)\/styles/

/** Takes out of the library's styles what nothing here uses: every page carries them before its first paint. */
export function usedStyles(): Plugin {
  return {
    name: 'used-styles',
    enforce: 'pre',
    transform(code, id) {
      if (!librarys.test(id)) return undefined
      const plain = code.replace(scaled, '$1').replace(shadowRoots, '')
      return id.includes('default-css-variables') ? plain.replace(palettes, '') : plain
    },
  }
}
