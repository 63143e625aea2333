import { nameIn, save } from '../../api/files/download.ts'
import { answer } from '../../api/http.ts'

/** Downloads a file, and saves it under the name that the server gives it. Throws a `Failure`. */
export async function saveAnswer(path: string, accept: string, name: string): Promise<void> {
  const response = await answer(path, { accept })
  save(await response.blob(), nameIn(response) ?? name)
}
