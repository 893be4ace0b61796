import { createContext, type ReactNode, useContext } from 'react'
import { createPortal } from 'react-dom'

/** Panel beside the form of an entrance page; set by the auth layout. */
export const AuthAsidePlace = createContext<HTMLElement | null>(null)

/** Renders its children in the panel beside the form (below it on a phone). */
export function AuthAside({ children }: { children: ReactNode }) {
  const place = useContext(AuthAsidePlace)
  return place ? createPortal(children, place) : null
}
