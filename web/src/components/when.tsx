import { language } from '../stores/language.ts'
import { exact, relative } from '../ui/format.ts'

/** A moment as people say it; exactly, when one points at it. */
export function When({ moment }: { moment: string }) {
  return (
    <time dateTime={moment} title={exact(moment, language())}>
      {relative(moment, language())}
    </time>
  )
}
