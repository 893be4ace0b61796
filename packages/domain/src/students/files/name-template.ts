import { safeFileName } from '#domain/file-names.ts'

/** Tokens allowed in a name template, in braces. `npm` is the registration code until there is a student number. */
export const nameTokens = ['npm', 'kode', 'nama', 'prodi', 'berkas'] as const
type NameToken = (typeof nameTokens)[number]

export const defaultNameTemplate = '{npm}_{nama}/{berkas}'

const token = /\{([^{}]*)\}/g

/** Whether all tokens are known and the document is included, so that one person's files differ. */
export const isNameTemplate = (template: string) =>
  template.includes('{berkas}') &&
  [...template.matchAll(token)].every(([, name]) => (nameTokens as readonly string[]).includes(name!)) &&
  !/[{}]/.test(template.replace(token, ''))

/** `{npm}_{nama}/{berkas}` → `2701_Sari Dewi/Ijazah`: a relative path without extension; `/` starts a folder. */
export function fillNameTemplate(template: string, values: Record<NameToken, string>) {
  const parts = template
    .split('/')
    .map((part) => safeFileName(part.replace(token, (_, name: NameToken) => safeFileName(values[name]))))
  const fileName = parts.pop() || 'berkas'
  return [...parts.filter((part) => part !== ''), fileName].join('/')
}
