import { TextInput } from '@mantine/core'
import { leastOfWideSearch } from '@portico/contract/fields.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { ActionOf, Output } from '../../api/actions.ts'
import { action } from '../../api/query.ts'
import { LoadFailure } from '../../components/load-failure.tsx'
import { closeOverlay } from '../../stores/overlay.ts'
import { m } from '../../texts/compiled/messages.js'
import { Modal } from '../../ui/modal/modal.tsx'
import { deskHref } from '../routes.ts'
import { useCommands } from './commands.ts'
import classes from './search.module.css'

type Found = Output<ActionOf<'desk-home', 'find'>>['found'][number]

/** A client needs no word: the name says it. */
const kinds: { readonly [K in Found['found']]?: () => string } = {
  panel: m.desk_found_panel,
  domain: m.desk_found_domain,
  server: m.desk_found_server,
  document: m.desk_found_document,
  payment: m.desk_found_payment,
  card: m.desk_found_card,
  ticket: m.desk_found_ticket,
}

/** The part of the client's page that shows it. */
const tabs: { readonly [K in Found['found']]?: string } = {
  panel: 'panels',
  domain: 'panels',
  server: 'panels',
  document: 'documents',
  payment: 'payments',
  card: 'payments',
}

/** The text a moment after the last key, so that not every letter is a call. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), 200)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

function Result({ found, id, client_id, title, about }: Found) {
  const said = (
    <>
      <span>{title}</span>
      <span className={classes.about}>{[kinds[found]?.(), about].filter(Boolean).join(' · ')}</span>
    </>
  )
  if (found === 'ticket')
    return (
      <Link to={deskHref('ticket', { id })} onClick={closeOverlay}>
        {said}
      </Link>
    )
  return (
    <Link to={deskHref('client', { id: client_id, tab: tabs[found] })} onClick={closeOverlay}>
      {said}
    </Link>
  )
}

/** Moves the focus between the field and the results. */
function move(event: KeyboardEvent<HTMLElement>, root: HTMLElement | null): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined || !root) return
  event.preventDefault()
  const stops = [...root.querySelectorAll<HTMLElement>('input, a, li > button')]
  const at = stops.indexOf(document.activeElement as HTMLElement)
  stops[Math.min(Math.max(at + step, 0), stops.length - 1)]?.focus()
}

/** The pages and commands that fit, each a line as the results are. */
function Commands({ commands }: { commands: ReturnType<typeof useCommands> }) {
  if (commands.length === 0) return null
  return (
    <ul className={classes.found} aria-label={m.desk_search_commands()}>
      {commands.map(({ id, label, isPage, run }) => (
        <li key={id}>
          <button type="button" onClick={run}>
            <span>{label}</span>
            <span className={classes.about}>{isPage ? m.desk_search_page() : m.desk_search_command()}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** The search over everything that has a client, and over the pages and commands of the desk. */
export function Search() {
  const [text, setText] = useState('')
  const root = useRef<HTMLDivElement>(null)
  const search = useSettled(text.trim())
  const commands = useCommands(text.trim())
  const isLong = search.length >= leastOfWideSearch
  const { data, error, isError, refetch } = useQuery({
    ...action('desk-home', 'find', { payload: { search } }),
    enabled: isLong,
    placeholderData: keepPreviousData,
  })
  const found = isLong ? (data?.found ?? []) : []
  const said = isLong ? data && found.length === 0 && m.nothing_found() : m.desk_search_least()
  return (
    <Modal
      opened
      onClose={closeOverlay}
      title={m.search()}
      size={640}
      closeButtonProps={{ 'aria-label': m.close() }}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys of what is inside arrive here. */}
      <div ref={root} className={classes.search} onKeyDown={(event) => move(event, root.current)}>
        <TextInput
          type="search"
          data-autofocus
          maxLength={100}
          value={text}
          aria-label={m.search()}
          placeholder={m.desk_search_placeholder()}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {isError && <LoadFailure error={error} onRetry={() => void refetch()} />}
        <p role="status" className={classes.status}>
          {commands.length === 0 && said}
        </p>
        <Commands commands={commands} />
        <ul className={classes.found} aria-label={m.desk_search_found()}>
          {found.map((one) => (
            <li key={`${one.found} ${one.id}`}>
              <Result {...one} />
            </li>
          ))}
        </ul>
      </div>
    </Modal>
  )
}
