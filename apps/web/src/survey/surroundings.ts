import type { Branding } from '#domain/settings/endpoints.ts'
import { inkOn } from '#domain/settings/palette.ts'
import { isLanguage, type Language } from '#entities/define/language.ts'

/** Reads the branding from the page's `meta` element, or returns defaults. */
export function readBranding(): Pick<Branding, 'name' | 'logo' | 'shades' | 'timeZone'> {
  try {
    return JSON.parse(document.querySelector<HTMLMetaElement>('meta[name=branding]')!.content)
  } catch {
    return { name: '', logo: null, shades: [], timeZone: 'Asia/Jakarta' }
  }
}

/** The university's colours as CSS variables for `form.css`; empty unless there are ten shades. */
export function colourVariables(shades: readonly string[]): Record<string, string> {
  if (shades.length !== 10) return {}
  const variables = shades.map((shade, index) => [`--sv-shade-${index}`, shade] as const)
  return { ...Object.fromEntries(variables), '--sv-on-fill': inkOn(shades[5]!) }
}

/**
 * Follows changes of the device's light or dark mode, unless the reader chose one in the app. `first-paint.js` sets the
 * mode at load.
 */
export function followTheme() {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', ({ matches }) => {
    let mode: string | null = null
    try {
      mode = localStorage.getItem('theme_mode')
    } catch {
      // Without storage, follow the device.
    }
    if (mode !== 'light' && mode !== 'dark')
      document.documentElement.dataset.mantineColorScheme = matches ? 'dark' : 'light'
  })
}

/**
 * Returns the page's language and sets the document's `lang`. `?lang=` in the link overrides the choice of
 * `first-paint.js`.
 */
export function startLanguage(): Language {
  const ofLink = new URLSearchParams(location.search).get('lang')
  const language = [ofLink, document.documentElement.lang].find(isLanguage) ?? 'id'
  document.documentElement.lang = language
  return language
}

export function rememberLanguage(language: Language) {
  document.documentElement.lang = language
  try {
    localStorage.setItem('language', language)
  } catch {
    // Without storage, the language lasts until the page is left.
  }
}
