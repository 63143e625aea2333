import type { brands } from '@portico/contract/resources/brands.ts'
import { contrastOfWhite, leastContrast } from '@portico/contract/rules/brand/accent.ts'
import type * as z from 'zod/mini'
import { plainBrand } from '#platform/brand/brand.ts'
import type { OutsideContext } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'

type Given = z.output<(typeof brands.actions)['save']['input']>

/** Throws `accent_unreadable`: white text stands on the accent in buttons. Rounded down, so that 4.49 is not told as 4.5. */
function assertReadable(accent: string | null): void {
  if (accent === null) return
  const ratio = contrastOfWhite(accent)
  if (ratio >= leastContrast.text) return
  const shown = (Math.floor(ratio * 100) / 100).toFixed(2)
  const parameters = { ratio: shown, least: String(leastContrast.text) }
  throw refuse('accent_unreadable', parameters, { source: { pointer: '/data/accent' } })
}

type Changes = Given | Logo
type Logo = {
  readonly logo: Buffer | null
  readonly logo_type: string | null
  readonly logo_sha256: string | null
  readonly logo_width: number | null
  readonly logo_height: number | null
  readonly logo_prints: boolean
}

/** Changes the brand; every process follows. */
export async function changeBrand({ within, ports }: OutsideContext, changes: Changes): Promise<void> {
  await within(({ tx }) => update(tx, changes))
  await ports.settings.refresh()
}

const update = (tx: Database, changes: Changes) =>
  tx
    .updateTable('brands')
    .set((eb) => ({ ...changes, version: eb('version', '+', 1) }))
    .execute()

/** The action of administrators that sets name, colour and footers. Throws `recent_sign_in_required`, `accent_unreadable`. */
export async function save(outsideContext: OutsideContext, { input }: { readonly input: Given }) {
  assertRecentSignIn(outsideContext)
  assertReadable(input.accent)
  await changeBrand(outsideContext, input)
  return { name: input.name ?? plainBrand.name }
}
