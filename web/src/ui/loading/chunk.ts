const key = 'reloaded'

/** A part of the browser app failed to load: the network failed, or a newer release has replaced the file. */
export class ChunkFailed extends Error {
  override readonly name = 'ChunkFailed'
}

let failed = false

/** Loads a part on demand; every failure of any browser becomes `ChunkFailed`. */
export async function chunk<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    failed = true
    throw new ChunkFailed('A part of this page could not be loaded.', { cause })
  }
}

/** Whether a full load of this address has not been tried yet. */
export const mayReload = (): boolean => sessionStorage.getItem(key) !== location.href

/** Loads the address from the server, once; after a second failure the error page stays. */
export function reloadOnce(target: string = location.href): void {
  const url = new URL(target, location.origin).href
  if (sessionStorage.getItem(key) === url) return
  sessionStorage.setItem(key, url)
  if (url === location.href) location.reload()
  else location.assign(url)
}

/** The page has loaded, so a later failure is a new one. A page with a failed part is the error page. */
export function loaded(): void {
  if (!failed) sessionStorage.removeItem(key)
}
