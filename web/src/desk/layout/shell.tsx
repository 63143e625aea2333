import { Outlet, useRouter } from '@tanstack/react-router'
import { Fragment, useEffect, useRef } from 'react'
import { OfflineBanner } from '../../components/notices/offline-banner.tsx'
import { useLanguage } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { loaded } from '../../ui/loading/chunk.ts'
import { setTitle } from '../../ui/title.ts'
import { deskRoutes } from '../routes.ts'

/** Title and focus follow the page, as they do when a browser loads one. */
function useArrival(): void {
  const router = useRouter()
  const language = useLanguage()
  const shown = useRef<string>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new language changes the title too.
  useEffect(() => {
    const arrive = () => {
      const name = router.state.matches.at(-1)?.staticData.desk
      setTitle(`${name ? deskRoutes[name].title() : m.not_found_title()} · ${m.desk()} · ${m.brand()}`)
      if (name) loaded()
      const { pathname } = router.state.location
      if (shown.current !== undefined && shown.current !== pathname)
        document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
      shown.current = pathname
    }
    arrive()
    return router.subscribe('onRendered', arrive)
  }, [router, language])
}

/** Around every page of the desk. */
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
