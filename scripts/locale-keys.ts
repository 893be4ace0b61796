import { errorCodes } from '#domain/errors.ts'
import { resources } from '#locales/index.ts'

/** Both languages say the same things, with the same placeholders, and no sentence is empty. */
type Tree = { [key: string]: string | Tree }

const problems: string[] = []

function flatten(tree: Tree, prefix = ''): Map<string, string> {
  return new Map(
    Object.entries(tree).flatMap(([key, value]) =>
      typeof value === 'string' ? [[`${prefix}${key}`, value] as const] : [...flatten(value, `${prefix}${key}.`)],
    ),
  )
}

const placeholders = (sentence: string) => [...new Set(sentence.match(/\{\{\s*[\w.]+/g) ?? [])].sort().join(' ')

for (const namespace of Object.keys(resources.en) as (keyof typeof resources.en)[]) {
  const en = flatten(resources.en[namespace] as unknown as Tree)
  const id = flatten(resources.id[namespace] as unknown as Tree)
  for (const [key, sentence] of en) {
    const translation = id.get(key)
    const name = `${namespace}:${key}`
    if (translation === undefined) {
      // Indonesian has no plural form of its own.
      if (!/_(one|other|zero)$/.test(key)) problems.push(`${name} is missing in Indonesian`)
    } else if (!sentence.trim() || !translation.trim()) problems.push(`${name} is empty`)
    else if (placeholders(sentence) !== placeholders(translation)) problems.push(`${name} has different placeholders`)
  }
  for (const key of id.keys())
    if (!en.has(key) && !/_(one|other|zero)$/.test(key)) problems.push(`${namespace}:${key} is missing in English`)
}
for (const code of errorCodes)
  if (!(code in resources.en.errors)) problems.push(`the error code ${code} has no sentence`)

if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exitCode = 1
}
