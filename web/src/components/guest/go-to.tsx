import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'

/** Leaves for an address of the portal as soon as it is shown, and is not come back to. */
export function GoTo({ address }: { address: string }) {
  const navigate = useNavigate()
  useEffect(() => {
    void navigate({ href: address, replace: true })
  }, [navigate, address])
  return null
}
