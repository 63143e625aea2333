import { type Load, load, median } from './load.ts'

export const rounds = Number(process.env.ROUNDS ?? 5)
export const seconds = Number(process.env.SECONDS ?? 5)

/** Prints the medians of several loads. */
export function row(name: string, loads: readonly Load[]): void {
  const of = (pick: (one: Load) => number) => median(loads.map(pick))
  const failed = loads.reduce((sum, one) => sum + one.failed, 0)
  const rps = of((one) => one.rps).toFixed(0)
  console.log(
    `  ${name.padEnd(8)} ${rps.padStart(6)} requests/s   p50 ${of(({ p50 }) => p50)} ms   p99 ${of(({ p99 }) => p99)} ms   failed ${failed}`,
  )
}

const each = (values: readonly number[]) => values.map((value) => value.toFixed(2)).join(' ')

/** Alternates between the portal and the baseline, so that other load affects both, and prints ratios. */
export async function compare(
  title: string,
  address: string,
  token: string,
  connections: number,
  servers: { readonly portal: string; readonly limit: string },
): Promise<void> {
  const results: [Load[], Load[]] = [[], []]
  for (const base of [servers.portal, servers.limit]) await load(`${base}${address}`, token, connections, 1)
  for (let round = 0; round < rounds; round++) {
    results[0].push(await load(`${servers.portal}${address}`, token, connections, seconds))
    results[1].push(await load(`${servers.limit}${address}`, token, connections, seconds))
  }
  console.log(title)
  row('portal', results[0])
  row('limit', results[1])
  const ratios = results[0].map((one, at) => one.rps / (results[1][at]?.rps ?? Number.NaN))
  const tails = results[0].map((one, at) => one.p99 / (results[1][at]?.p99 ?? Number.NaN))
  console.log(
    `  ratio of requests/s ${median(ratios).toFixed(2)} (of rounds: ${each(ratios)}); of p99 ${median(tails).toFixed(2)}\n`,
  )
}
