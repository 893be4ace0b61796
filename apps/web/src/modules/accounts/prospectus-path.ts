import type { Language } from '#entities/define/language.ts'

/** Public page of the intake, rendered by the server: a plain link, not a page of the app. */
export const prospectusPath = (language: Language) => `/daftar?lang=${language}`
