import { useState } from 'react'

type Run<P, O> = (part: P, then: { onSuccess: (said: O) => void; onError: () => void }) => void

/** Runs a write for one part after the other, and calls `onDone` with all answers. A refusal ends it. */
export function useInParts<P, O>(run: Run<P, O>, onDone: (answers: readonly O[]) => void) {
  const [isRunning, setRunning] = useState(false)
  /** `next`: the next part, from the number of parts that are done and the last answer; undefined when there is none. */
  const begin = (next: (done: number, last: O | undefined) => P | undefined) => {
    const answers: O[] = []
    const step = () => {
      const part = next(answers.length, answers.at(-1))
      if (part === undefined) {
        setRunning(false)
        onDone(answers)
        return
      }
      run(part, {
        onSuccess: (said) => {
          answers.push(said)
          step()
        },
        onError: () => setRunning(false),
      })
    }
    setRunning(true)
    step()
  }
  return { isRunning, begin }
}
