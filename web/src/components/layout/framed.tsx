import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { queryClient } from '../../api/client.ts'
import { MainLayout } from './main-layout.tsx'

/** The layout of signed-in pages for content outside of the router's pages. */
export function Framed({ children }: { children: ReactNode }) {
  return (
    <QueryClientProvider client={queryClient}>
      <MainLayout>{children}</MainLayout>
    </QueryClientProvider>
  )
}
