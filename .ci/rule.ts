import type { Comment, Node, VisitorObject } from 'oxc-parser'

/** A violation of a house rule. The line is 1-based; 0 is the file as a whole. */
export type Violation = { path: string; line: number; rule: string; detail: string }

export type Source = {
  path: string
  text: string
  comments: readonly Comment[]
  lineAt: (offset: number) => number
}

export type Report = (at: number | Node, detail: string) => void

export type Rule = {
  name: string
  /** Whether the rule applies to a file, by its path from the root. */
  on: (path: string) => boolean
  visit: (source: Source, report: Report) => VisitorObject
}

/** Whether a file is of tests or of what runs them. */
export const isTest = (file: string) => /\.(test|spec)\.tsx?$|^api\/test\/|^e2e\/|^bench\/|^\.ci\//.test(file)

export const inFolders = (pattern: RegExp) => (file: string) => pattern.test(file) && !isTest(file)
