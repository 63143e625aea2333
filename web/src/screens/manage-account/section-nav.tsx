import { NativeSelect } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type MouseEvent, useEffect, useState } from 'react'
import { m } from '../../texts/compiled/messages.js'
import { focusSection } from '../../ui/section.tsx'
import classes from './manage-account.module.css'
import type { Group, SectionId } from './sections.ts'

/** Scrolls to a section and moves focus to it, as following a link does. */
function goTo(id: string): void {
  document.getElementById(id)?.scrollIntoView()
  focusSection(id)
}

/**
 * Scrolls to the section of a link, and again once all above it has loaded, unless the person has scrolled
 * meanwhile.
 */
export function useArrivalAtSection(arrived: boolean): void {
  const [moved, setMoved] = useState(false)
  useEffect(() => {
    const move = () => setMoved(true)
    const events = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const
    for (const event of events) window.addEventListener(event, move, { once: true, passive: true })
    return () => {
      for (const event of events) window.removeEventListener(event, move)
    }
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect waits for everything to be loaded.
  useEffect(() => {
    const id = location.hash.slice(1)
    if (id !== '' && !moved) goTo(id)
  }, [arrived])
}

type Props = { groups: readonly Group[]; opened: SectionId }

/** The list of sections: next to the page on a desktop, a select above it on a phone. */
export function SectionNav({ groups, opened }: Props) {
  const navigate = useNavigate()
  const choose = (id: string) => {
    void navigate({ to: '.', hash: id, hashScrollIntoView: false, resetScroll: false })
    // A section of another group is not there yet, and is gone to when it is.
    goTo(id)
  }
  const follow = (event: MouseEvent, id: string) => {
    // With a modifier key it opens in another tab, as links do.
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    choose(id)
  }
  return (
    <nav className={classes.nav} aria-label={m.account_sections()}>
      <div className={classes.links}>
        {groups.map(({ key, name, sections }) => (
          <div key={key}>
            <p className={classes.group}>{name()}</p>
            <ul>
              {sections.map(({ id, title }) => (
                <li key={id}>
                  <a
                    href={`#${id}`}
                    className={classes.link}
                    aria-current={id === opened ? 'location' : undefined}
                    onClick={(event) => follow(event, id)}
                  >
                    {title()}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
      <NativeSelect
        className={classes.select ?? ''}
        aria-label={m.account_sections()}
        value={opened}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {groups.map(({ key, name, sections }) => (
          <optgroup key={key} label={name()}>
            {sections.map(({ id, title }) => (
              <option key={id} value={id}>
                {title()}
              </option>
            ))}
          </optgroup>
        ))}
      </NativeSelect>
    </nav>
  )
}
