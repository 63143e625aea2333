import type { Panel } from '../../api/queries/workspaces.ts'

/**
 * The dashboard's two polling intervals, in milliseconds. Queries run them: they pause in a hidden tab and
 * end when the page is left.
 */
export const pollEvery = { timer: 15_000, timer_shared_access: 30_000 } as const

/** While somebody waits for what they have just asked for, in milliseconds. */
const waitingFor = 3_000

type Moving = Pick<Panel, 'status' | 'synced_at' | 'plan_change'>

/** A panel that is being made, read for the first time, given another plan or deleted. */
const isMoving = ({ status, synced_at, plan_change }: Moving): boolean =>
  status === 'provisioning' ||
  status === 'deleting' ||
  (status === 'active' && synced_at === null) ||
  plan_change?.state === 'waiting'

/** The interval of the panels' timer: shorter while one of them is about to change. */
export const everyOf = (panels: readonly Moving[] = []): number =>
  panels.some(isMoving) ? waitingFor : pollEvery.timer
