import { Outlet } from '@tanstack/react-router'
import { PlainFrame } from './plain-frame.tsx'

export function PlainWideLayout() {
  return (
    <PlainFrame wide>
      <Outlet />
    </PlainFrame>
  )
}
