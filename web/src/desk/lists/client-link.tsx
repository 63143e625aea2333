import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import cells from '../e-factura/e-factura.module.css'
import { deskHref } from '../routes.ts'
import classes from './lists.module.css'

type Props = { id: number; name: string; tab?: string; children?: ReactNode }

/** A client as the name of a row, with a line about them. */
export function ClientLink({ id, name, tab, children }: Props) {
  return (
    <div className={`${cells.cell} ${classes.name}`}>
      <Link to={deskHref('client', { id, tab })}>{name}</Link>
      {children && <span>{children}</span>}
    </div>
  )
}
