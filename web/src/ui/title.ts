import { useEffect } from 'react'

let ofPage = ''
let ofThing: string | undefined

const write = () => {
  document.title = ofThing ?? ofPage
}

/** What the window is called while a page is shown. */
export function setTitle(title: string): void {
  ofPage = title
  write()
}

/** What it is called instead, while the page shows a thing that has a name of its own. */
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
