import { store } from './store.ts'

/** 0: single-key shortcuts are off, for people who use voice control or press keys by accident. */
const key = 'letterKeys'

function stored(): boolean {
  // A browser without storage has the shortcuts on.
  try {
    return localStorage.getItem(key) !== '0'
  } catch {
    return true
  }
}

const current = store(stored())

/** Whether single-key shortcuts are on (WCAG 2.1.4 requires a way to turn them off). */
export const letterKeys = current.get
export const useLetterKeys = current.use

export function setLetterKeys(on: boolean): void {
  current.set(on)
  try {
    localStorage.setItem(key, on ? '1' : '0')
  } catch {
    // Without storage the choice lasts until the page is left.
  }
}
