type Child = Node | string | false | null | undefined
type Attributes = Record<string, string | number | boolean | undefined | ((event: any) => void)>

/**
 * Creates an element. Functions become listeners of the event named by their key; `false` and `undefined` omit an
 * attribute.
 */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value)
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : String(value))
  }
  element.append(...children.filter((child) => child !== false && child !== null && child !== undefined))
  return element
}

/** Sets an element's text; an empty text hides it. */
export function setText(element: HTMLElement, text: string) {
  if (element.textContent !== text) element.textContent = text
  element.hidden = text === ''
}
