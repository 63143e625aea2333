import { examplePlans } from '#money/pricing/file/example-plans.ts'
import { exportPlans, type PlanFile } from '#money/pricing/file/plan-file.ts'
import type { Context } from '#platform/context.ts'

const textOf = (file: PlanFile) => ({ text: `${JSON.stringify(file, null, 2)}\n` })

/** The current plans and prices as text. */
export const file = async ({ tx }: Pick<Context, 'tx'>) => textOf(await exportPlans(tx))

/** The current plans and prices with examples as text. */
export const example = async ({ tx }: Pick<Context, 'tx'>) => textOf(await examplePlans(tx))
