import fs from 'node:fs'
import path from 'node:path'

/**
 * Checks the web's CSS modules: every class is used by a component that imports the module, and every class a component
 * takes from it exists. A class nobody uses is often one whose component lost it by mistake.
 */
const web = path.resolve(import.meta.dirname, '../../apps/web/src')
const files = fs.readdirSync(web, { recursive: true, encoding: 'utf8' })
const read = (file: string) => fs.readFileSync(path.join(web, file), 'utf8')

/** Classes of a module, without those of the library in `:global`. */
function classesOf(css: string): Set<string> {
  const selectors = css.replace(/\/\*[\s\S]*?\*\/|:global\([^)]*\)|\{[^{}]*\}/g, ' ')
  return new Set([...selectors.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name]) => name!))
}

type Use = { name: string; file: string }

/** Classes by module that components take, and modules of which one takes classes by a computed name. */
const uses = new Map<string, Use[]>()
const computed = new Set<string>()
const importPattern = /import (\w+) from '([^']+\.module\.css)'/g
for (const file of files.filter((name) => /\.tsx?$/.test(name))) {
  const source = read(file)
  for (const [, variable, from] of source.matchAll(importPattern)) {
    const module = from!.startsWith('#web/') ? from!.slice(5) : path.join(path.dirname(file), from!)
    const names = [...source.matchAll(new RegExp(`(?<![\\w./-])${variable}\\??\\.([a-zA-Z]\\w*)`, 'g'))].map(
      ([, name]) => name!,
    )
    uses.set(module, [...(uses.get(module) ?? []), ...names.map((name) => ({ name, file }))])
    if (new RegExp(`\\b${variable}\\[`).test(source)) computed.add(module)
  }
}

const problems: string[] = []
const modules = files.filter((name) => name.endsWith('.module.css'))
for (const module of modules) {
  const classes = classesOf(read(module))
  const usesOfModule = uses.get(module) ?? []
  for (const { name, file } of usesOfModule)
    if (!classes.has(name)) problems.push(`apps/web/src/${file}: ${module} has no class "${name}"`)
  if (!computed.has(module))
    for (const name of classes)
      if (!usesOfModule.some((use) => use.name === name))
        problems.push(`apps/web/src/${module}: nobody uses ".${name}"`)
}
if (problems.length > 0) {
  console.log(problems.join('\n'))
  process.exitCode = 1
} else console.log(`${modules.length} CSS modules.`)
