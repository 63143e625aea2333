import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core'

/** 1 dark, 0 light; absent while the system decides. */
const key = 'darkMode'

const system = () => matchMedia('(prefers-color-scheme: dark)')

function chosen(): MantineColorScheme {
  // A browser without storage uses the system's theme.
  try {
    const stored = localStorage.getItem(key)
    if (stored === null) return 'auto'
    return stored === '1' ? 'dark' : 'light'
  } catch {
    return 'auto'
  }
}

function store(value: MantineColorScheme): void {
  try {
    if (value === 'auto') localStorage.removeItem(key)
    else localStorage.setItem(key, value === 'dark' ? '1' : '0')
  } catch {
    // Without storage the choice lasts until the page is left.
  }
}

/** The scheme that is shown for a choice. */
export function shown(choice: MantineColorScheme): 'light' | 'dark' {
  if (choice !== 'auto') return choice
  return system().matches ? 'dark' : 'light'
}

let tell: ((value: MantineColorScheme) => void) | undefined

/** The person's choice of the other theme. Mantine's own hook costs half a kilobyte on every page. */
export function toggleTheme(): void {
  const isDark = document.documentElement.getAttribute('data-mantine-color-scheme') === 'dark'
  const value = isDark ? 'light' : 'dark'
  store(value)
  tell?.(value)
}

/**
 * Starts from the stored choice, else from the system's; afterwards the latest change wins: the system, the
 * toggle or another tab. A change of the system is not stored. The boot script applies the first part before the first
 * paint.
 */
export function colorSchemeManager(): MantineColorSchemeManager {
  let release = (): void => undefined
  // Mantine passes every change back to `set`; only the person's own choice is stored.
  let isFollowing = false
  return {
    // At build there is no theme; the styles of prerendered pages contain both.
    get: (byDefault) => (typeof window === 'undefined' ? byDefault : chosen()),
    set: (value) => {
      if (!isFollowing) store(value)
    },
    clear: () => store('auto'),
    subscribe: (onUpdate) => {
      tell = onUpdate
      const media = system()
      const follow = (value: MantineColorScheme) => {
        isFollowing = true
        onUpdate(value)
        isFollowing = false
      }
      const followSystem = () => follow(chosen() === 'auto' ? 'auto' : shown('auto'))
      const followTab = (event: StorageEvent) => event.key === key && follow(chosen())
      media.addEventListener('change', followSystem)
      window.addEventListener('storage', followTab)
      release = () => {
        media.removeEventListener('change', followSystem)
        window.removeEventListener('storage', followTab)
      }
    },
    unsubscribe: () => release(),
  }
}
