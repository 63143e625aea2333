import fs from 'node:fs/promises'
import { logoHash } from '#platform/brand/brand.ts'
import type { Database } from '#platform/db/pool.ts'

const foot = 'Carpat Cloud SRL · J12/2718/2010 · RO27182818'

/** The brand of the fictional operator, with a logo of 112 × 68 pixels. */
export async function makeDemoBrand(tx: Database): Promise<void> {
  const logo = await fs.readFile(new URL('logo.png', import.meta.url))
  await tx
    .updateTable('brands')
    .set({
      name: 'Carpat Cloud',
      legal_en: foot,
      legal_ro: foot,
      logo,
      logo_type: 'image/png',
      logo_sha256: logoHash(logo),
      logo_width: 112,
      logo_height: 68,
      logo_prints: true,
      version: 1,
    })
    .execute()
}
