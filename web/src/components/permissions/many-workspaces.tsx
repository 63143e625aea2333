import { useState } from 'react'
import { m } from '../../texts/compiled/messages.js'
import { Many } from '../many/many.tsx'
import { type Known, levelOf } from './choices.ts'
import { type Chosen, WorkspaceChoices } from './workspace-choice.tsx'

/** A workspace is found by its name and by its panels. */
const namesIn = ({ name, panels }: Known) => [name, ...panels.map((panel) => panel.name)]

/** The shared parts of many workspaces. What is shared already comes first, and stays in its place while it is changed. */
export function ManyWorkspaces({ workspaces, ...chosen }: Chosen) {
  const { value } = chosen
  const [first] = useState(
    () => new Set(value.workspaces.map(({ id }) => id).filter((id) => levelOf(value, id) !== 'none')),
  )
  const ordered = workspaces.toSorted((a, b) => Number(first.has(b.id)) - Number(first.has(a.id)))
  return (
    <Many items={ordered} namesOf={namesIn} count={m.workspaces_count}>
      {(shown) => <WorkspaceChoices workspaces={shown} {...chosen} />}
    </Many>
  )
}
