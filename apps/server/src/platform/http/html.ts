import crypto from 'node:crypto'

/** Markup that needs no escaping. */
export type Html = { readonly markup: string }
type Part = Html | string | number | null | undefined | false | readonly Part[]

export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

const markupOf = (part: Part): string => {
  if (part === null || part === undefined || part === false) return ''
  if (typeof part === 'string') return escapeHtml(part)
  if (typeof part === 'number') return String(part)
  return 'markup' in part ? part.markup : part.map(markupOf).join('')
}

/** Builds markup; escapes every text put into it. Null, undefined and false are left out, lists are joined. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html => ({
  markup: strings.reduce((whole, text, index) => whole + markupOf(parts[index - 1]) + text),
})

/** Markup that the caller has made safe, such as a style sheet of ours. */
export const rawHtml = (markup: string): Html => ({ markup })

/**
 * Ends a `<script>`. Written out in a template, it would make the bundler call a helper of a package that is not
 * installed.
 */
export const scriptEnd = rawHtml('</script>')

/** JSON for a `<script>` of data; no text in it can end the element. */
export const jsonHtml = (data: unknown): Html => rawHtml(JSON.stringify(data).replaceAll('<', '\\u003c'))

/** Source of a content security policy that allows an inline style or script by its bytes. */
export const sourceHash = (text: string) => `'sha256-${crypto.createHash('sha256').update(text).digest('base64')}'`
