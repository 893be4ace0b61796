import { useLocation } from 'react-router'
import { type Target, targetOf } from '#web/resource/paths.ts'

/** What the page's address names; only addresses below /master lead to these pages. */
export function useTarget(): Target {
  const { pathname } = useLocation()
  const target = targetOf(pathname)
  if (!target) throw new Error(`${pathname} names no entity`)
  return target
}
