import { Outlet, type StaticDataRouteOption, useRouter } from '@tanstack/react-router'
import { Fragment, useEffect, useRef } from 'react'
import { useLanguage } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { loaded } from '../../ui/loading/chunk.ts'
import { setTitle } from '../../ui/title.ts'
import { NoteBanner } from '../notices/note-banner.tsx'
import { OfflineBanner } from '../notices/offline-banner.tsx'

type Props = {
  /** The title of a page; undefined for an unknown one. */
  titleOf: (page: StaticDataRouteOption) => string | undefined
  /** The name of the app, after the title, in the current language. */
  app: () => string
}

/** The heading, or the page itself if it has none. */
function focusPage(): void {
  const page = document.querySelector<HTMLElement>('main h1') ?? document.querySelector<HTMLElement>('main')
  page?.focus({ preventScroll: true })
}

/** Title and focus follow the page, as they do when a browser loads one. */
function useArrival({ titleOf, app }: Props): void {
  const router = useRouter()
  const language = useLanguage()
  const shown = useRef<string>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new language changes the title too.
  useEffect(() => {
    const arrive = () => {
      const title = titleOf(router.state.matches.at(-1)?.staticData ?? {})
      setTitle(`${title ?? m.not_found_title()} · ${app()}`)
      if (title !== undefined) loaded()
      const { pathname } = router.state.location
      const isOther = shown.current !== undefined && shown.current !== pathname
      shown.current = pathname
      if (isOther) focusPage()
    }
    arrive()
    return router.subscribe('onRendered', arrive)
  }, [router, language])
}

/** Stands around every page of an app. */
export function AppFrame(props: Props) {
  const language = useLanguage()
  useArrival(props)
  return (
    // Texts are read while rendering, so a new language remounts the tree.
    <Fragment key={language}>
      <a className="skip" href="#main">
        {m.skip_to_content()}
      </a>
      <NoteBanner />
      <OfflineBanner />
      <Outlet />
    </Fragment>
  )
}
