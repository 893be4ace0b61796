import { createContext, useContext } from 'react'

/** Context of the controls: texts (keys of `common`), language, and the account that owns drafts. */
export type Surroundings = {
  language: 'en' | 'id'
  say: (key: string, params?: Record<string, unknown>) => string
  owner: string
}

const Context = createContext<Surroundings>({ language: 'en', say: (key) => key, owner: 'nobody' })
export const SurroundingsProvider = Context.Provider
export const useSurroundings = () => useContext(Context)
