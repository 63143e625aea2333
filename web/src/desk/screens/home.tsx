import { useQuery } from '@tanstack/react-query'
import { useUser } from '../../api/queries/user.ts'
import { action, one } from '../../api/query.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { m } from '../../texts/compiled/messages.js'
import { Figures } from '../home/figures.tsx'
import classes from '../home/home.module.css'
import { Needs } from '../home/needs.tsx'

/** The polling interval, in milliseconds, while the tab is visible. */
const every = 60_000

const needsQuery = { ...action('desk-home', 'needs', { payload: {} }), refetchInterval: every }
const figuresQuery = action('desk-home', 'figures', { payload: {} })

/** The open work of the member of staff, and the figures of the month for those who may see them. */
export default function HomeScreen() {
  const { staff } = useUser()
  const mine = useQuery(one('desk-home', staff?.id ?? 0))
  const seesFigures = mine.data?.may.readFigures ?? false
  const needs = useQuery(needsQuery)
  const figures = useQuery({ ...figuresQuery, enabled: seesFigures })
  return (
    <>
      <PageHead title={m.desk_home_title()} lead={m.desk_home_lead()} />
      <div className={classes.parts}>
        <Needs query={needs} />
        {seesFigures && <Figures query={figures} />}
      </div>
    </>
  )
}
