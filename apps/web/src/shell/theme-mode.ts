import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core'
import { navigationConstants } from '#domain/navigation/constants.ts'

export const themeModeKey = 'theme_mode'

/** Light, dark or system, stored under the product's own key and word (`system`), which `first-paint.js` also reads. */
export function themeModeManager(): MantineColorSchemeManager {
  let listener: ((event: StorageEvent) => void) | undefined
  const parse = (stored: string | null): MantineColorScheme =>
    stored === 'light' || stored === 'dark' ? stored : 'auto'
  return {
    get: (fallback) => {
      try {
        return parse(localStorage.getItem(themeModeKey))
      } catch {
        return fallback
      }
    },
    set: (mode) => {
      // All elements change colour at once; transitions would stutter.
      document.documentElement.dataset.themeSwitching = ''
      setTimeout(() => delete document.documentElement.dataset.themeSwitching, navigationConstants.themeSwitching)
      try {
        localStorage.setItem(themeModeKey, mode === 'auto' ? 'system' : mode)
      } catch {
        // Without storage the mode lasts until a reload.
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
