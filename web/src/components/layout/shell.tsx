import { Outlet, useRouter } from '@tanstack/react-router'
import { Fragment, useEffect, useRef } from 'react'
import { routes } from '../../routes.ts'
import { useLanguage } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { loaded } from '../../ui/loading/chunk.ts'
import { setTitle } from '../../ui/title.ts'
import { OfflineBanner } from '../notices/offline-banner.tsx'

/** The heading, or the page itself if it has none. */
function focusPage(): void {
  const page = document.querySelector<HTMLElement>('main h1') ?? document.querySelector<HTMLElement>('main')
  page?.focus({ preventScroll: true })
}

/** Title and focus follow the page, as they do when a browser loads one. */
function useArrival(): void {
  const router = useRouter()
  const language = useLanguage()
  const shown = useRef<string>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new language changes the title too.
  useEffect(() => {
    const arrive = () => {
      const name = router.state.matches.at(-1)?.staticData.name
      const title = name ? routes[name].title() : m.not_found_title()
      setTitle(`${title} · ${m.brand()}`)
      const { pathname } = router.state.location
      const first = shown.current === undefined
      const same = shown.current === pathname
      shown.current = pathname
      if (name) loaded()
      if (!first && !same) focusPage()
    }
    arrive()
    return router.subscribe('onRendered', arrive)
  }, [router, language])
}

/** Around every page. */
export function Shell() {
  const language = useLanguage()
  useArrival()
  return (
    // Texts are read while rendering, so a new language remounts the tree.
    <Fragment key={language}>
      <a className="skip" href="#main">
        {m.skip_to_content()}
      </a>
      <OfflineBanner />
      <Outlet />
    </Fragment>
  )
}
