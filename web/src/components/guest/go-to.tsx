import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'

/** Redirects to an address of the portal, without an entry in the history. */
export function GoTo({ address }: { address: string }) {
  const navigate = useNavigate()
  useEffect(() => {
    void navigate({ href: address, replace: true })
  }, [navigate, address])
  return null
}
