import { Button, NativeSelect } from '@mantine/core'
import type { Page } from '../../api/rows.ts'
import { m } from '../../texts/compiled/messages.js'
import classes from './resource-table.module.css'
import { hasOtherRows, type Size, type Sizes, sizeIn } from './table-sizes.ts'

type Props = {
  page: Page
  shown: number
  sizes: Sizes
  onChange: (change: { page?: number; size?: Size }) => void
}

/** The number of rows, the rows per page, and the controls to change pages. */
export function Pages({ page, shown, sizes, onChange }: Props) {
  if (!hasOtherRows(page, sizes)) return null
  return (
    <nav className={classes.pages} aria-label={m.pages()}>
      <span className={classes.count}>{m.rows_of({ shown, total: page.total })}</span>
      <div>
        <NativeSelect
          size="xs"
          aria-label={m.rows_a_page()}
          value={page.size}
          data={sizes.map(String)}
          onChange={({ currentTarget }) => onChange({ size: sizeIn(currentTarget.value, sizes) })}
        />
        <Button
          size="xs"
          variant="default"
          disabled={page.number <= 1}
          onClick={() => onChange({ page: page.number - 1 })}
        >
          {m.previous()}
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={page.number >= page.pages}
          onClick={() => onChange({ page: page.number + 1 })}
        >
          {m.next()}
        </Button>
      </div>
    </nav>
  )
}
