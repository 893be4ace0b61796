import { useEffect, useState } from 'react'
import { navigationConstants } from '#domain/navigation/constants.ts'

/** Calls `settle` 200 ms after the last such event; returns the function that stops it. */
function onSettled(target: EventTarget, name: string, settle: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const change = () => {
    clearTimeout(timer)
    timer = setTimeout(settle, navigationConstants.resizeDebounce)
  }
  target.addEventListener(name, change)
  return () => {
    clearTimeout(timer)
    target.removeEventListener(name, change)
  }
}

/** Calls `settle` when the window has kept its size for 200 ms; returns the function that stops it. */
export const onSettledResize = (settle: () => void) => onSettled(window, 'resize', settle)

/** Calls `settle` 200 ms after the window last crossed the query's width; returns the function that stops it. */
export function onSettledMedia(query: string, settle: (matches: boolean) => void) {
  const media = matchMedia(query)
  return onSettled(media, 'change', () => settle(media.matches))
}

/**
 * Whether the media query matches, read again 200 ms after the last change so that dragging the window does not trigger
 * new layouts.
 */
export function useSettledMedia(query: string) {
  const [matches, setMatches] = useState(() => matchMedia(query).matches)
  useEffect(() => onSettledMedia(query, setMatches), [query])
  return matches
}
