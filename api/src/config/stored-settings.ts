import { type SettingKey, settingKeys } from '@portico/contract/resources/operator-settings.ts'
import { withSecretFiles } from './secret-files.ts'

type Source = Record<string, string | undefined>

/** Values of settings that were entered at the desk. */
export type Stored = Partial<Record<SettingKey, string>>

/** The settings that the server sets by their variables, with the values. */
export const setByServer = (given: Source): Stored => {
  const source = withSecretFiles(given, [])
  return Object.fromEntries(settingKeys.map((key) => [key, source[key]?.trim()]).filter(([, text]) => text))
}

/** Adds what was entered at the desk where no variable is set, because a deployment is not overruled unseen. */
export function withStored(source: Source, stored: Stored): SettingKey[] {
  const added = settingKeys.filter((key) => !source[key]?.trim() && stored[key] !== undefined)
  for (const key of added) source[key] = stored[key]
  return added
}
