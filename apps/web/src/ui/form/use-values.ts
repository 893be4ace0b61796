import { useState } from 'react'

type KeysOf<V, T> = { [K in keyof V]: V[K] extends T ? K : never }[keyof V] & string

/** Props that bind controls to `values`; `propsOf` adds what a form knows about a field. */
export function bindingsOf<V extends object, P extends object>(
  values: V,
  set: (change: Partial<V>) => void,
  propsOf: (name: string) => P,
) {
  const change = (name: string, value: unknown) => set({ [name]: value } as Partial<V>)
  return {
    /** For text fields. */
    text: (name: KeysOf<V, string>) => ({
      value: values[name] as string,
      onChange: (event: { currentTarget: { value: string } }) => change(name, event.currentTarget.value),
      ...propsOf(name),
    }),
    /** For number fields; an empty field is null. */
    number: (name: KeysOf<V, number | null>) => ({
      value: (values[name] ?? '') as number | '',
      onChange: (typed: number | string) => change(name, typed === '' ? null : Number(typed)),
      ...propsOf(name),
    }),
    /** For check boxes and switches. */
    box: (name: KeysOf<V, boolean>) => ({
      checked: values[name] as boolean,
      onChange: (event: { currentTarget: { checked: boolean } }) => change(name, event.currentTarget.checked),
      ...propsOf(name),
    }),
    /** For selects and radio groups whose options are the values of the field; a choice cannot be cleared. */
    choice: (name: KeysOf<V, string | null>) => ({
      value: values[name] as string | null,
      onChange: (chosen: string | null) => chosen !== null && change(name, chosen),
      ...propsOf(name),
    }),
    /** For controls whose `onChange` receives the value. */
    value: <K extends keyof V & string>(name: K) => ({
      value: values[name],
      onChange: (value: V[K]) => change(name, value),
      ...propsOf(name),
    }),
  }
}

const noProps = () => ({})

/** Values that are typed and not sent as a form, such as filters, with props that bind them to controls. */
export function useValues<V extends object>(start: V | (() => V)) {
  const [values, setValues] = useState(start)
  const set = (change: Partial<V>) => setValues((before) => ({ ...before, ...change }))
  return { values, set, setValues, ...bindingsOf(values, set, noProps) }
}
