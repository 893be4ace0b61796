/** What a name template may contain, between braces. `npm` is the registration code until there is a student number. */
export const nameTokens = ['npm', 'kode', 'nama', 'prodi', 'berkas'] as const
type NameToken = (typeof nameTokens)[number]

export const defaultNameTemplate = '{npm}_{nama}/{berkas}'

const token = /\{([^{}]*)\}/g

/** Whether every token is known and the document is named, so that files of one person differ. */
export const isNameTemplate = (template: string) =>
  template.includes('{berkas}') &&
  [...template.matchAll(token)].every(([, name]) => (nameTokens as readonly string[]).includes(name!)) &&
  !/[{}]/.test(template.replace(token, ''))

/** Without characters that a file system refuses, and without dots at the edges, which would leave the folder. */
const safePart = (text: string) =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
    .replace(/[\u0000-\u001f<>:"/\\|?*]/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '')
    .slice(0, 100)

/** `{npm}_{nama}/{berkas}` → `2701_Sari Dewi/Ijazah`, a relative path without extension; `/` begins a folder. */
export const fillNameTemplate = (template: string, values: Record<NameToken, string>) =>
  template
    .split('/')
    .map((part) => safePart(part.replace(token, (_, name: NameToken) => safePart(values[name]))))
    .filter((part) => part !== '')
    .join('/') || 'berkas'

/** Makes names unique, ignoring case: the second `a.pdf` becomes `a (2).pdf`. */
export function uniqueNames() {
  const counts = new Map<string, number>()
  return (name: string, extension: string) => {
    const key = `${name}.${extension}`.toLowerCase()
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count === 1 ? `${name}.${extension}` : `${name} (${count}).${extension}`
  }
}
