const prefix = 'draft:'

/**
 * Drafts by name; they survive a reload, until they are sent or the person signs out. The storage is not
 * trusted, so readers validate it.
 */
export const savedDrafts = {
  read: (name: string): unknown => {
    try {
      return JSON.parse(localStorage.getItem(prefix + name) ?? 'null')
    } catch {
      return null
    }
  },
  keep: (name: string, value: unknown): void => localStorage.setItem(prefix + name, JSON.stringify(value)),
  drop: (name: string): void => localStorage.removeItem(prefix + name),
}

/** Deletes all drafts, so that the next person at this browser finds none. */
export function dropSavedDrafts(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key)
}
