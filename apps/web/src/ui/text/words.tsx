import { createContext, useContext } from 'react'
import type { Language } from '#entities/define/language.ts'

/** Context of the controls: texts (keys of `common`), language, and the account that owns drafts. */
export type Surroundings = {
  language: Language
  say: (key: string, params?: Record<string, unknown>) => string
  owner: string
}

const Context = createContext<Surroundings>({ language: 'en', say: (key) => key, owner: 'nobody' })
export const SurroundingsProvider = Context.Provider
export const useSurroundings = () => useContext(Context)
