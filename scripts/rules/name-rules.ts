import fs from 'node:fs'
import path from 'node:path'

/**
 * Checks names of variables, parameters and functions. A bare participle hides what the name holds, and one word soon
 * has ten meanings; use a noun. API fields, columns and sentence keys are free.
 */
const forbidden = ['told', 'shown', 'wanted', 'given', 'made', 'kept', 'asked', 'taken', 'gone', 'begun']

const root = path.resolve(import.meta.dirname, '../..')
const folders = ['apps', 'packages', 'e2e', 'bench', 'torture', 'scripts']
const generated = 'apps/server/src/platform/database/schema.ts'

const word = `(${forbidden.join('|')})`
const declarations = [
  new RegExp(`\\b(?:const|let|function)\\s+${word}\\b`, 'g'),
  // Arrow functions with one parameter, with or without brackets.
  new RegExp(`\\(?\\b${word}\\)?\\s*=>`, 'g'),
  // A typed parameter, after a bracket or on its own line.
  new RegExp(`\\(\\s*${word}\\??:\\s`, 'g'),
  // Destructuring of an array, or of an object under another name.
  new RegExp(`\\b(?:const|let)\\s+\\[[^\\]=]*\\b${word}\\s*[,\\]]`, 'g'),
  new RegExp(`\\b(?:const|let)\\s+\\{[^}=]*:\\s*${word}\\s*[,}]`, 'g'),
]

function sources(folder: string): string[] {
  return fs.readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = `${folder}/${entry.name}`
    if (entry.isDirectory()) return entry.name === 'dist' || entry.name === 'node_modules' ? [] : sources(file)
    return /\.(tsx?|mjs)$/.test(entry.name) && file !== generated ? [file] : []
  })
}

const withoutComments = (text: string) =>
  text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' ')).replace(/^\s*\/\/.*$/gm, '')

const files = folders.flatMap(sources)
const problems = files.flatMap((file) => {
  const text = withoutComments(fs.readFileSync(path.join(root, file), 'utf8'))
  return declarations.flatMap((declaration) =>
    [...text.matchAll(declaration)].map(({ index, 1: name }) => {
      const line = text.slice(0, index).split('\n').length
      return `${file}:${line} names something "${name}": take a noun that says what it holds`
    }),
  )
})

if (files.length < 50) problems.push(`only ${files.length} files were read`)
if (problems.length > 0) {
  console.error([...new Set(problems)].join('\n'))
  process.exitCode = 1
}
