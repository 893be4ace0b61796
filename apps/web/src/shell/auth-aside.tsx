import { createContext, type ReactNode, useContext } from 'react'
import { createPortal } from 'react-dom'

/** Element of the panel beside the form of an entrance page; the auth layout fills it in. */
export const AuthAsidePlace = createContext<HTMLElement | null>(null)

/** Puts its children into the panel beside the form (below it on a phone). */
export function AuthAside({ children }: { children: ReactNode }) {
  const place = useContext(AuthAsidePlace)
  return place ? createPortal(children, place) : null
}
