import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core'
import { navigationConstants } from '#domain/navigation/constants.ts'

export const themeModeKey = 'theme_mode'

/** Light, dark or system, kept under our own key and word (`system`), which `first-paint.js` reads too. */
export function themeModeManager(): MantineColorSchemeManager {
  let listener: ((event: StorageEvent) => void) | undefined
  const parse = (kept: string | null): MantineColorScheme => (kept === 'light' || kept === 'dark' ? kept : 'auto')
  return {
    get: (fallback) => {
      try {
        return parse(localStorage.getItem(themeModeKey))
      } catch {
        return fallback
      }
    },
    set: (mode) => {
      // Everything changes colour at once: transitions would make it crawl.
      document.documentElement.dataset.themeSwitching = ''
      setTimeout(() => delete document.documentElement.dataset.themeSwitching, navigationConstants.themeSwitching)
      try {
        localStorage.setItem(themeModeKey, mode === 'auto' ? 'system' : mode)
      } catch {
        // Then it lasts as long as the page.
      }
    },
    subscribe: (onUpdate) => {
      listener = (event) => event.key === themeModeKey && onUpdate(parse(event.newValue))
      addEventListener('storage', listener)
    },
    unsubscribe: () => listener && removeEventListener('storage', listener),
    clear: () => localStorage.removeItem(themeModeKey),
  }
}
