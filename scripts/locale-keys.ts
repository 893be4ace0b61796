import fs from 'node:fs'
import path from 'node:path'
import { errorCodes } from '#domain/errors.ts'
import { resources } from '#locales/index.ts'

/** Both languages must have the same keys and placeholders, no empty sentence, and every sentence the web uses. */
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

const sentences = new Map(
  Object.entries(resources.en).map(([namespace, tree]) => [namespace, flatten(tree as unknown as Tree)]),
)
/** Whether a namespace has a sentence for the key, one of its plural forms, or sentences below it. */
const has = (namespace: string, key: string) =>
  [...(sentences.get(namespace)?.keys() ?? [])].some(
    (name) => name === key || name.startsWith(`${key}_`) || name.startsWith(`${key}.`),
  )

const web = path.join(import.meta.dirname, '../apps/web/src')
for (const file of fs.readdirSync(web, { recursive: true, encoding: 'utf8' })) {
  if (!/(?<!\.test)\.tsx?$/.test(file)) continue
  const source = fs.readFileSync(path.join(web, file), 'utf8')
  const namespaces = [...source.matchAll(/\{ t(?:, \w+)* \} = useTranslation\(([^)]*)\)/g)].flatMap(([, names = '']) =>
    [...names.matchAll(/'([^']+)'/g)].map(([, name]) => name!),
  )
  if (namespaces.length === 0) continue
  for (const [, named = ''] of source.matchAll(/(?<![\w.])t\('([^']+)'/g)) {
    const [namespace, key] = named.includes(':') ? named.split(':') : [null, named]
    if (!(namespace ? [namespace] : [...namespaces, 'common']).some((one) => has(one, key!)))
      problems.push(`apps/web/src/${file} names ${named}, which is missing`)
  }
}

if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exitCode = 1
}
