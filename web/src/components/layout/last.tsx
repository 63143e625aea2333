import '../../ui/focus/kept-focus.ts'
import { DemoRibbon } from '../notices/demo-ribbon.tsx'

/** What every page of signed-in people loads last: nothing of it is needed for the first paint or the first press. */
export const Last = () => <DemoRibbon />
