import { NativeSelect } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type MouseEvent, useEffect, useState } from 'react'
import { useUser } from '../../api/queries/user.ts'
import { m } from '../../texts/compiled/messages.js'
import { focusSection } from '../../ui/section.tsx'
import classes from './manage-account.module.css'
import { groupsFor, type SectionId, sectionIds } from './sections.ts'

/** Scrolls to a section and moves focus to it, as following a link does. */
function goTo(id: string): void {
  document.getElementById(id)?.scrollIntoView()
  focusSection(id)
}

/** The section being read: the first one in the upper part of the window. */
function useRead(): SectionId {
  const [read, setRead] = useState<SectionId>('personal')
  useEffect(() => {
    const seen = new Set<string>()
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) seen.add(target.id)
          else seen.delete(target.id)
        }
        const first = sectionIds.find((id) => seen.has(id))
        if (first) setRead(first)
      },
      { rootMargin: '-140px 0px -50% 0px' },
    )
    for (const id of sectionIds) {
      const section = document.getElementById(id)
      if (section) observer.observe(section)
    }
    return () => observer.disconnect()
  }, [])
  return read
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

/** The list of sections: next to the page on a desktop, a select above it on a phone. */
export function SectionNav() {
  const groups = groupsFor(useUser().staff)
  const read = useRead()
  const navigate = useNavigate()
  const choose = (id: string) => {
    void navigate({ to: '.', hash: id, replace: true, hashScrollIntoView: false })
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
        {groups.map(({ name, sections }) => (
          <div key={name()}>
            <p className={classes.group}>{name()}</p>
            <ul>
              {sections.map(({ id, title }) => (
                <li key={id}>
                  <a
                    href={`#${id}`}
                    className={classes.link}
                    aria-current={id === read ? 'location' : undefined}
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
        value={read}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {groups.map(({ name, sections }) => (
          <optgroup key={name()} label={name()}>
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
