import { faultOf } from '@portico/contract/refusals/fields.ts'
import * as z from 'zod/mini'
import { inWords, type Refusal, reason } from '#platform/errors/problem.ts'
import { type PlanFile, planFile } from './plan-file.ts'

const most = 5 * 1024 * 1024

/** The most faults of a file that are told at once. */
const mostTold = 50

type Read = { readonly file: PlanFile } | { readonly refused: readonly Refusal[] }

/** The line of a text on which a JSON parser stopped: the last one where the text ends too early. */
function lineOf(text: string, error: unknown): number {
  const found = /line (\d+)/.exec(error instanceof Error ? error.message : '')
  return found ? Number(found[1]) : text.trimEnd().split('\n').length
}

const repeated = (paths: readonly (readonly [word: string, path: string])[]): Refusal[] => {
  const seen = new Set<string>()
  return paths.flatMap(([word, path]) => {
    const is = seen.has(word)
    seen.add(word)
    return is ? [reason('plan_file_twice', { path })] : []
  })
}

/** Duplicate entries of the file, by their place. */
const twiceIn = ({ plans, price_lists }: PlanFile): Refusal[] => [
  ...repeated(plans.map(({ code }, at) => [code, `plans.${at}`])),
  ...repeated(
    plans.flatMap(({ code, engines }, at) =>
      engines.map(({ engine }, place) => [`${code} ${engine}`, `plans.${at}.engines.${place}`] as const),
    ),
  ),
  ...repeated(
    plans.flatMap(({ code, engines }, at) =>
      engines.flatMap(({ engine, regions }, place) =>
        regions.map(
          (region, of) =>
            [JSON.stringify([code, engine, region]), `plans.${at}.engines.${place}.regions.${of}`] as const,
        ),
      ),
    ),
  ),
  ...repeated(price_lists.map(({ code }, at) => [code, `price_lists.${at}`])),
  ...repeated(
    price_lists.flatMap(({ fees }, at) =>
      fees.map(
        ({ plan, from }, place) => [`${at} ${plan} ${from}`, `price_lists.${at}.fees.${place}`] as const,
      ),
    ),
  ),
  ...repeated(
    price_lists.flatMap(({ meters }, at) =>
      meters.map(
        ({ meter, plan, kind, from }, place) =>
          [JSON.stringify([at, meter, plan, kind, from]), `price_lists.${at}.meters.${place}`] as const,
      ),
    ),
  ),
]

/** Reads the text of a file of plans and prices, or says what is wrong with it. */
export function readPlanFile(text: string): Read {
  if (Buffer.byteLength(text) > most)
    return { refused: [reason('plan_file_too_large', { most: most / 1024 / 1024 })] }
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch (error) {
    return { refused: [reason('plan_file_not_json', { line: lineOf(text, error) })] }
  }
  const read = z.safeParse(planFile, given)
  if (!read.success)
    return {
      refused: read.error.issues.slice(0, mostTold).map(({ path, message }) => {
        const fault = faultOf(message)
        const words = { en: inWords(fault, 'en'), ro: inWords(fault, 'ro') }
        return reason('plan_file_value', {
          path: path.map(String).join('.') || { en: 'the file', ro: 'fișier' },
          fault: words,
        })
      }),
    }
  const twice = twiceIn(read.data)
  return twice.length > 0 ? { refused: twice.slice(0, mostTold) } : { file: read.data }
}
