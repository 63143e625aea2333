import * as z from 'zod/mini'

const key = 'portico-closed-news'
const ids = z.catch(z.array(z.int()), [])

/** The newest that are kept; older announcements have ended. */
const most = 50

/** The announcements that were closed in this browser. */
export const dismissedNews = {
  get: (): readonly number[] => {
    try {
      return ids.parse(JSON.parse(localStorage.getItem(key) ?? '[]'))
    } catch {
      return []
    }
  },
  add: (id: number): void => {
    localStorage.setItem(key, JSON.stringify([...dismissedNews.get(), id].slice(-most)))
  },
}
