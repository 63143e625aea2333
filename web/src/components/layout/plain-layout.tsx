import { Outlet } from '@tanstack/react-router'
import { PlainFrame } from './plain-frame.tsx'

export function PlainLayout() {
  return (
    <PlainFrame>
      <Outlet />
    </PlainFrame>
  )
}
