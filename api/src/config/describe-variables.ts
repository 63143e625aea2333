import { variables } from './env-variables.ts'

/** The variables as text, for `--help`. */
export function describeVariables(): string {
  return Object.entries(variables)
    .map(([name, { meaning, expected, default: byDefault, secret }]) => {
      const title = secret ? `${name}, or the file that ${name}_FILE names` : name
      return [title, meaning, `Takes ${expected}. Default: ${byDefault}.`].join('\n    ')
    })
    .join('\n\n')
}
