import { store } from './store.ts'

/** 0: single letters and signs do nothing, for those who speak to their computer or press keys by accident. */
const key = 'letterKeys'

function stored(): boolean {
  // A browser that forbids storage has the keys.
  try {
    return localStorage.getItem(key) !== '0'
  } catch {
    return true
  }
}

const current = store(stored())

/** Whether keys without a modifier do something on a page (WCAG 2.1.4 wants them to be turned off by choice). */
export const letterKeys = current.get
export const useLetterKeys = current.use

export function setLetterKeys(on: boolean): void {
  current.set(on)
  try {
    localStorage.setItem(key, on ? '1' : '0')
  } catch {
    // Nothing to remember it in: the choice lasts as long as the page.
  }
}
