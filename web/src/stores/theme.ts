import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core'

/** 1 dark, 0 light (seed, section 3). */
const key = 'darkMode'

const system = () => matchMedia('(prefers-color-scheme: dark)')
const stored = () => {
  // A browser that forbids storage still gets a theme.
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
const scheme = (dark: boolean): MantineColorScheme => (dark ? 'dark' : 'light')

/**
 * Starts from the stored choice, else from the system's; afterwards whatever changed last counts, be it the system, the
 * toggle or another tab. The boot script in the page does the first part before anything is painted.
 */
export function colorSchemeManager(): MantineColorSchemeManager {
  let release = (): void => undefined
  // Mantine hands everything that it is told back to `set`, and what was followed is nobody's choice.
  let isFollowing = false
  const chosen = () => scheme(stored() === null ? system().matches : stored() === '1')
  const set = (value: MantineColorScheme) => {
    if (isFollowing) return
    try {
      localStorage.setItem(key, value === 'dark' ? '1' : '0')
    } catch {
      // Nothing to remember it in: the choice lasts as long as the page.
    }
  }
  return {
    // Pages are also rendered at build, where nobody has a theme yet; their styles hold both.
    get: (byDefault) => (typeof window === 'undefined' ? byDefault : chosen()),
    set,
    clear: () => localStorage.removeItem(key),
    subscribe: (onUpdate) => {
      const media = system()
      const follow = (value: MantineColorScheme) => {
        isFollowing = true
        onUpdate(value)
        isFollowing = false
      }
      const followSystem = () => {
        // An older choice would come back with the next page; the newer wish of the system replaces it.
        if (stored() !== null) set(scheme(media.matches))
        follow(scheme(media.matches))
      }
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
