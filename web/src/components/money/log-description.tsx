import { descriptionOf, type Entry } from './log-words.ts'

/** What moved the balance, and what staff wrote about it for the client. */
export function LogDescription({ entry }: { entry: Entry }) {
  return (
    <>
      {descriptionOf(entry)}
      {entry.message && <div className="quiet">{entry.message}</div>}
    </>
  )
}
