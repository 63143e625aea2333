import { language } from '../stores/language.ts'
import { exact, relative } from './moments.ts'

/** A moment in relative words; the tooltip shows it exactly. */
export function When({ moment }: { moment: string }) {
  return (
    <time dateTime={moment} title={exact(moment, language())}>
      {relative(moment, language())}
    </time>
  )
}
