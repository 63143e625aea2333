import { lazily } from '../../ui/loading/lazily.ts'

/** The texts that people accept, loaded when one is shown. */
export const Markdown = lazily(async () => (await import('../../ui/markdown/markdown.tsx')).Markdown)
