import { useEffect, useState } from 'react'
import { asFailure, type Failure } from '../../api/failure.ts'

export type Outcome<T> =
  | { kind: 'busy' }
  | { kind: 'done'; value: T }
  | { kind: 'failed'; failure: Failure; again: () => void }

// A link works once, however often its page mounts: a change of language remounts the tree.
const begun = new Map<string, Promise<unknown>>()

function begin<T>(key: string, work: () => Promise<T>): Promise<T> {
  // A key always stands for the same work.
  const known = begun.get(key) as Promise<T> | undefined
  const running = known ?? work()
  begun.set(key, running)
  // Without a response the link was not used up.
  running.catch((error: unknown) => asFailure(error).status === 0 && begun.delete(key))
  return running
}

/** Runs work once per key and returns its state. */
export function useOnce<T>(key: string, work: () => Promise<T>): Outcome<T> {
  const [outcome, setOutcome] = useState<Outcome<T>>({ kind: 'busy' })
  const [turn, setTurn] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the work; a turn repeats it.
  useEffect(() => {
    let here = true
    const again = () => setTurn((last) => last + 1)
    setOutcome({ kind: 'busy' })
    begin(key, work).then(
      (value) => here && setOutcome({ kind: 'done', value }),
      (error: unknown) => here && setOutcome({ kind: 'failed', failure: asFailure(error), again }),
    )
    return () => {
      here = false
    }
  }, [key, turn])
  return outcome
}
