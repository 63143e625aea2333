import { useEffect } from 'react'

let ofPage = ''
let ofThing: string | undefined

const write = () => {
  document.title = ofThing ?? ofPage
}

/** Sets the title of the window for a page. */
export function setTitle(title: string): void {
  ofPage = title
  write()
}

/** Overrides it while the page shows an item with a name of its own. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    ofThing = title
    write()
    return () => {
      ofThing = undefined
      write()
    }
  }, [title])
}
