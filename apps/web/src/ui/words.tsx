import { createContext, useContext } from 'react'

/** What our controls need from the app around them: its words (keys of `common`), its language, whose drafts these are. */
export type Surroundings = {
  language: 'en' | 'id'
  say: (key: string, params?: Record<string, unknown>) => string
  owner: string
}

const Context = createContext<Surroundings>({ language: 'en', say: (key) => key, owner: 'nobody' })
export const SurroundingsProvider = Context.Provider
export const useSurroundings = () => useContext(Context)
