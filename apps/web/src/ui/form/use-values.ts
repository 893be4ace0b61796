import { useState } from 'react'

type KeysOf<V, T> = { [K in keyof V]: V[K] extends T ? K : never }[keyof V] & string

/** Values of a form, with props that bind them to text fields, check boxes and other controls. */
export function useValues<V extends object>(start: V | (() => V)) {
  const [values, setValues] = useState(start)
  const set = (change: Partial<V>) => setValues((before) => ({ ...before, ...change }))
  return {
    values,
    set,
    setValues,
    text: (name: KeysOf<V, string>) => ({
      value: values[name] as string,
      onChange: (event: { currentTarget: { value: string } }) =>
        set({ [name]: event.currentTarget.value } as unknown as Partial<V>),
    }),
    box: (name: KeysOf<V, boolean>) => ({
      checked: values[name] as boolean,
      onChange: (event: { currentTarget: { checked: boolean } }) =>
        set({ [name]: event.currentTarget.checked } as unknown as Partial<V>),
    }),
    /** For controls whose `onChange` receives the value. */
    value: <K extends keyof V & string>(name: K) => ({
      value: values[name],
      onChange: (value: V[K]) => set({ [name]: value } as unknown as Partial<V>),
    }),
  }
}
