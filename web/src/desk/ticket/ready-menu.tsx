import { Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useUser } from '../../api/queries/user.ts'
import { list } from '../../api/query.ts'
import type { Row } from '../../api/rows.ts'
import { macroWords } from '../../components/tickets/macro-words.ts'
import { m } from '../../texts/compiled/messages.js'
import { type LateMenuProps, useOpened } from '../../ui/loading/late-menu.tsx'
import '../../ui/styles/menu.ts'
import classes from '../../components/thread/thread.module.css'
import type { Ready } from './ready-answers.tsx'
import { filledIn } from './ready-text.ts'

type Answer = Row<'canned-answers', 'ticketDepartment' | 'moveTo'>

const readyQuery = {
  ...list('canned-answers', { include: ['ticketDepartment', 'moveTo'], sort: 'title', page: { size: 100 } }),
  staleTime: 60_000,
}

/** The actions of an answer; undefined for one that is only text. */
function macroOf(answer: Answer) {
  const does = macroWords(answer)
  return does === '' ? undefined : { id: answer.id, does }
}

/** Staff's canned answers for such tickets, in the client's language, with their blanks. */
export function ReadyMenu({ of: { ticket, onPick }, startOpen, children }: LateMenuProps<Ready>) {
  const { staff } = useUser()
  const { data, isError } = useQuery(readyQuery)
  const fitting = data?.items.filter(
    ({ ticketDepartment }) => ticketDepartment === null || ticketDepartment?.code === ticket.department,
  )
  const values = {
    first_name: ticket.client?.first_name ?? '',
    number: ticket.number,
    my_name: staff?.display_name ?? '',
  }
  return (
    <Menu {...useOpened(startOpen)} width={280}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown className={classes.ready ?? ''}>
        {fitting?.map((one) => (
          <Menu.Item
            key={one.id}
            onClick={() => onPick(filledIn(one[`body_${ticket.language}`], values), macroOf(one))}
          >
            {one.title}
            {macroWords(one) !== '' && <span className={classes.does}>{macroWords(one)}</span>}
          </Menu.Item>
        ))}
        {fitting?.length === 0 && <Menu.Label>{m.ready_none()}</Menu.Label>}
        {!fitting && <Menu.Label>{isError ? m.load_failed() : m.loading()}</Menu.Label>}
      </Menu.Dropdown>
    </Menu>
  )
}
