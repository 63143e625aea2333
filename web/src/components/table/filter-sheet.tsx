import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { m } from '../../texts/compiled/messages.js'
import { Modal } from '../../ui/modal/modal.tsx'
// The pages with filters are those that are printed: lists, bills and usage.
import '../../ui/print/paper.ts'
import classes from './filter-sheet.module.css'

type SheetProps = {
  /** The number of filters that are set. */
  count: number
  children: ReactNode
}

/** Filters, which a phone shows in a dialog behind a button, so that the first rows are on the screen. */
export function PhoneSheet({ count, children }: SheetProps) {
  const isPhone = useMediaQuery('(max-width: 640px)', false, { getInitialValueInEffect: false })
  const [isOpen, setOpen] = useState(false)
  if (!isPhone) return children
  return (
    <>
      <Button variant="default" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {count === 0 ? m.filters_button() : m.filters_count({ count })}
      </Button>
      {isOpen && (
        <Modal
          opened
          title={m.filters_button()}
          closeButtonProps={{ 'aria-label': m.close() }}
          onClose={() => setOpen(false)}
        >
          <div className={classes.sheet}>
            {children}
            <Button onClick={() => setOpen(false)}>{m.filters_show()}</Button>
          </div>
        </Modal>
      )}
    </>
  )
}

/** The filters of a table in a row, after its search. */
export function FilterSheet({ search, ...sheet }: SheetProps & { search: ReactNode }) {
  return (
    <div className={classes.filters}>
      {search}
      <PhoneSheet {...sheet} />
    </div>
  )
}
