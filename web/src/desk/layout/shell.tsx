import { AppFrame } from '../../components/layout/app-frame.tsx'
import { m } from '../../texts/compiled/messages.js'
import { deskRoutes } from '../routes.ts'

/** Around every page of the desk. */
export const Shell = () => (
  <AppFrame
    titleOf={({ desk }) => (desk === undefined ? undefined : deskRoutes[desk].title())}
    app={() => `${m.desk()} · ${m.brand()}`}
  />
)
