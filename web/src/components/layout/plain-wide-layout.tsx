import { Outlet } from '@tanstack/react-router'
import { PlainFrame } from './plain-frame.tsx'

export default function PlainWideLayout() {
  return (
    <PlainFrame wide>
      <Outlet />
    </PlainFrame>
  )
}
