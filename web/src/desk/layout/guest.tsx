import { QueryClientProvider } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { queryClient } from '../../api/client.ts'
import { PlainFrame } from '../../components/layout/plain-frame.tsx'

/** Around the page of the desk for those who are not signed in yet. */
export const Guest = () => (
  <QueryClientProvider client={queryClient}>
    <PlainFrame>
      <Outlet />
    </PlainFrame>
  </QueryClientProvider>
)
