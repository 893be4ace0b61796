import { type RefObject, useLayoutEffect } from 'react'
import { flushSync } from 'react-dom'

type Values = Record<string, string>
/** Form of the first HTML. It works without the app, which replaces it once the reader's hands are off it. */
export type FirstForm = { values: Values; failure: string | null; asksCode: boolean }

let drawnForm: FirstForm | null = null
/** Sets what the build draws into the first HTML. */
export const drawFirstForm = (form: FirstForm) => {
  drawnForm = form
}

/** The root with the first HTML, and the root that the app draws beside the document meanwhile. */
let roots: { first: HTMLElement; app: HTMLElement } | null = null

/** Root for the app: the one in the document, or a detached one while that shows the first HTML. */
export function rootOfApp(): HTMLElement {
  const first = document.getElementById('root')!
  if (document.documentElement.hasAttribute('data-app-only')) {
    first.replaceChildren()
    document.documentElement.removeAttribute('data-app-only')
  }
  if (!first.hasChildNodes()) return first
  roots = { first, app: first.cloneNode(false) as HTMLElement }
  return roots.app
}

const formOf = (root: HTMLElement) => root.querySelector('form')

function read(root: HTMLElement): FirstForm {
  const fields = formOf(root)?.querySelectorAll('input') ?? []
  return {
    values: Object.fromEntries(
      [...fields].map(({ name, type, value, checked }) => [name, type === 'checkbox' && !checked ? '' : value]),
    ),
    failure: root.querySelector('[role=alert]')?.textContent ?? null,
    asksCode: [...fields].some(({ name }) => name === 'code'),
  }
}

/** The form in the first HTML as it is now; null once the app has replaced it. */
export const firstForm = (): FirstForm | null => drawnForm ?? (roots && read(roots.first))

/** Time in which a press that took the focus away from the form sends it. */
const pressMs = 300

/**
 * Replaces the first HTML by the page once no field has the focus: replacing a field under the reader's hands closes the
 * keyboard of a phone. Sending the form replaces it at once and sends the page's form instead. A form that asks for a
 * code stays, since the page would ask for the password again.
 */
export function useTakeOver(
  take: (values: Values) => void,
  form: RefObject<HTMLFormElement | null>,
  whileTyping?: () => void,
) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first page of the app takes over, once
  useLayoutEffect(() => {
    const firstFields = roots && formOf(roots.first)
    if (!roots || !firstFields || firstForm()?.asksCode) return
    const replace = () => {
      if (!roots) return
      const { first, app } = roots
      const { values } = read(first)
      roots = null
      first.replaceWith(app)
      take(Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')))
    }
    const isAtRest = () => !firstFields.contains(document.activeElement)
    if (isAtRest()) return replace()
    whileTyping?.()
    firstFields.addEventListener('focusout', () => setTimeout(() => isAtRest() && replace(), pressMs))
    firstFields.addEventListener('submit', (event) => {
      event.preventDefault()
      flushSync(replace)
      form.current?.requestSubmit()
    })
  }, [])
}
