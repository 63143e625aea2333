import { useQuery } from '@tanstack/react-query'
import { exportsQuery } from '../../../api/queries/account.ts'
import { useArrivalAtSection } from '../section-nav.tsx'
import { CloseAccount } from './close-account.tsx'
import { CopyOfData } from './copy-of-data.tsx'

/** Taking one's data along, and leaving. */
export function DataGroup() {
  useArrivalAtSection(!useQuery(exportsQuery).isLoading)
  return (
    <>
      <CopyOfData />
      <CloseAccount />
    </>
  )
}
