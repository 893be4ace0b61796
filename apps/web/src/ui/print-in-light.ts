import { useEffect } from 'react'

const attribute = 'data-mantine-color-scheme'

/** Prints the page in light colours, even from the dark theme, whose text is too pale for white paper. */
export function usePrintInLight() {
  useEffect(() => {
    const root = document.documentElement
    let onScreen: string | null = null
    const toLight = () => {
      onScreen ??= root.getAttribute(attribute)
      root.setAttribute(attribute, 'light')
    }
    const back = () => {
      if (onScreen) root.setAttribute(attribute, onScreen)
      onScreen = null
    }
    addEventListener('beforeprint', toLight)
    addEventListener('afterprint', back)
    return () => {
      back()
      removeEventListener('beforeprint', toLight)
      removeEventListener('afterprint', back)
    }
  }, [])
}
