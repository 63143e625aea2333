import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PageHead } from '../../components/layout/page-head.tsx'
import { type Column, ResourceTable } from '../../components/table/resource-table.tsx'
import { departmentName } from '../../components/tickets/words.tsx'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { IconMessages } from '../../ui/icons.tsx'
import { Status } from '../../ui/status.tsx'
import { Answers } from '../departments/answers.tsx'
import { AddDepartment } from '../departments/department-form.tsx'
import { DepartmentVerbs } from '../departments/department-verbs.tsx'
import { type Department, departmentsQuery, spanInWords } from '../departments/words.ts'
import classes from '../screens/clients.module.css'

const columns = (): Column<Department>[] => [
  {
    name: 'name',
    label: m.desk_departments_where(),
    cell: (department) => (
      <div className={classes.name}>
        <strong>{departmentName(department)}</strong>
        <span>{department.code}</span>
      </div>
    ),
  },
  {
    name: 'status',
    label: m.column_status(),
    cell: ({ closed }) => (
      <Status tone={closed ? 'idle' : 'good'}>
        {closed ? m.desk_departments_closed() : m.desk_departments_open()}
      </Status>
    ),
  },
  {
    name: 'times',
    label: m.desk_departments_times(),
    cell: ({ first_response_minutes, resolve_minutes, office_hours }) => (
      <div className={classes.name}>
        <div>{m.desk_departments_first_cell({ time: spanInWords(first_response_minutes) })}</div>
        <div>{m.desk_departments_resolve_cell({ time: spanInWords(resolve_minutes) })}</div>
        {office_hours && <span>{m.desk_departments_office_cell()}</span>}
      </div>
    ),
  },
  {
    name: 'tickets',
    label: m.desk_departments_open_tickets(),
    number: true,
    cell: ({ open_tickets }) => open_tickets,
  },
  {
    name: 'followers',
    label: m.desk_departments_followers(),
    wide: true,
    cell: ({ followers }) =>
      followers.length > 0 ? (
        followers.join(', ')
      ) : (
        <Status tone="warn">{m.desk_departments_nobody()}</Status>
      ),
  },
  {
    name: 'verbs',
    label: m.desk_column_verbs(),
    cell: (department) => <DepartmentVerbs department={department} />,
  },
]

/** The departments that answer tickets, and their ready answers. */
export default function DepartmentsScreen() {
  const [isAdding, setAdding] = useState(false)
  const query = useQuery(departmentsQuery)
  return (
    <>
      <PageHead title={m.desk_departments_title()} lead={m.desk_departments_lead()}>
        <Button onClick={() => setAdding(true)}>{m.desk_departments_add()}</Button>
      </PageHead>
      <ResourceTable
        caption={m.desk_departments_title()}
        columns={columns()}
        query={query}
        view={{ page: 1, size: 100 }}
        onChange={() => undefined}
        empty={<Empty icon={<IconMessages size={20} />} title={m.desk_departments_none()} />}
        tools={<span />}
      />
      <Answers />
      {isAdding && <AddDepartment onClose={() => setAdding(false)} />}
    </>
  )
}
