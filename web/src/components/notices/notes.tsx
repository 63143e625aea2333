import { Suspense } from 'react'
import { m } from '../../texts/compiled/messages.js'
import { lazily } from '../../ui/loading/lazily.ts'
import classes from './banner.module.css'

// Apart, so that the first files of every page name none of the files that it needs.
const News = lazily(async () => (await import('./news.tsx')).News)

const isMarked = (what: string) =>
  document.querySelector(`meta[name="portico-note"][content="${what}"]`) !== null

/** Says that the portal is a copy of another, in which nothing can be changed. */
function CopyNotice() {
  return (
    <div role="status" className={classes.banner}>
      {m.copy_notice()}
    </div>
  )
}

/** What the server marked the page with. */
export function Notes() {
  return (
    <>
      {isMarked('copy') && <CopyNotice />}
      {isMarked('news') && (
        <Suspense>
          <News />
        </Suspense>
      )}
    </>
  )
}
