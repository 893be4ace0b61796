import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

// Runs on the machine's Node (20 or newer) and before every start, so no TypeScript and no packages at the top.

/**
 * Bundles of the server: one file per lazily loaded part instead of 2,300 modules, which take four times as long to
 * load. A bundle's folder is named after its sources, so a start never runs an outdated one; without a bundle the
 * sources themselves run.
 */
const repository = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..')
const keptBundles = 4

/** Files of `apps/server/src` that programs load, by the bundle's file name. */
const entries = { server: 'server.ts', worker: 'run-worker.ts' }

/** Packages that are pure modules; all others stay where they are installed, with their data and native code. */
const bundledPackages = /^(kysely|zod|fastify-type-provider-zod|libphonenumber-js)(\/|$)/

/** Pages are named by the seeds of menus, and never drawn by the server. */
const isPage = /\.(tsx|css)$/

const folderOf = (root) => path.join(root, 'apps/server/dist', fingerprintOf(root))

/** URL of a bundled program; undefined if there is no bundle of the present sources. */
export function bundleOf(name, root = repository) {
  const file = path.join(folderOf(root), `${name}.mjs`)
  return fs.existsSync(file) ? pathToFileURL(file).href : undefined
}

/** Bundles the present sources unless that is done. Running servers keep using earlier bundles, of which four stay. */
export async function bundleServer(root = repository) {
  if (bundleOf('server', root)) return
  const { rolldown, RolldownMagicString } = await import('rolldown')
  const folder = folderOf(root)
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, `apps/server/src/${file}`])),
    platform: 'node',
    external: (id, importer = '') =>
      isPage.test(id) ||
      (/^[^./#]/.test(id) && !path.isAbsolute(id) && !bundledPackages.test(id) && !isInside(importer)),
    plugins: [sourcePlaces(folder), asciiTemplates(RolldownMagicString), lateSchemas(RolldownMagicString)],
  })
  const { output } = await bundle.generate({
    dir: folder,
    format: 'esm',
    sourcemap: 'hidden',
    // Node keeps the text in memory, and twice as much of it with a character that is not in Latin-1.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true, asciiOnly: true } },
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  })
  await bundle.close()
  const unfinished = `${folder}.${process.pid}`
  fs.mkdirSync(unfinished, { recursive: true })
  for (const { type, fileName, code, map } of output) {
    if (type !== 'chunk') continue
    fs.writeFileSync(path.join(unfinished, fileName), code)
    if (!map) continue
    // Only `sourcePositions` reads maps; people have the sources.
    const sources = map.sources.map((source) => path.relative(root, path.resolve(folder, source)))
    fs.writeFileSync(path.join(unfinished, `${fileName}.map`), JSON.stringify({ ...map, sources, sourcesContent: [] }))
  }
  try {
    fs.renameSync(unfinished, folder)
  } catch (error) {
    fs.rmSync(unfinished, { recursive: true })
    // Another start may have bundled the same sources meanwhile.
    if (!fs.existsSync(folder)) throw error
  }
  forgetOldBundles(path.dirname(folder))
}

/** Whether a module is one of a bundled package, whose own imports are bundled too. */
const isInside = (importer) => bundledPackages.test(importer.split('/node_modules/').at(-1) ?? '')

/** Lets modules find the files beside their source: `import.meta` would name the bundle's folder. */
const sourcePlaces = (folder) => ({
  name: 'source-places',
  transform: {
    filter: { id: /\.m?ts$/, code: /import\.meta/ },
    handler(code, id) {
      if (id.includes('/node_modules/')) return
      const toSource = JSON.stringify(path.relative(folder, id).replaceAll(path.sep, '/'))
      const toFolder = JSON.stringify(`/${path.relative(folder, path.dirname(id)).replaceAll(path.sep, '/')}`)
      return {
        code: code
          .replaceAll('import.meta.url', `new URL(${toSource}, import.meta.url).href`)
          .replaceAll('import.meta.dirname', `(import.meta.dirname + ${toFolder})`)
          .replaceAll('import.meta.main', 'false'),
        map: null,
      }
    },
  },
})

/** Calls `act` for every node of a syntax tree. */
function walk(node, act) {
  if (Array.isArray(node)) for (const part of node) walk(part, act)
  else if (typeof node?.type === 'string') {
    act(node)
    walk(Object.values(node), act)
  }
}

/** Changed code with a map, so that stack traces name the columns of the source. */
const withMap = (changed) => ({ code: changed.toString(), map: changed.generateMap({ hires: true }).toString() })

/** Escapes characters in tagged templates, which the option `asciiOnly` leaves as they are; most of them are SQL. */
const asciiTemplates = (MagicString) => ({
  name: 'ascii-templates',
  transform: {
    filter: { id: /\.m?ts$/, code: /`.*[^\0-\x7f]/s },
    handler(code, id) {
      if (id.includes('/node_modules/')) return
      const changed = new MagicString(code)
      walk(this.parse(code, { lang: 'ts' }), ({ type, tag, quasi }) => {
        if (type !== 'TaggedTemplateExpression' || tag.property?.name === 'raw') return
        for (const { start, end } of quasi.quasis)
          for (const { 0: text, 1: character, index } of code.slice(start, end).matchAll(/\\?([^\0-\x7f])|\\./gsu))
            if (character)
              changed.update(start + index, start + index + text.length, `\\u{${character.codePointAt().toString(16)}}`)
      })
      return changed.hasChanged() ? withMap(changed) : undefined
    },
  },
})

const schemaParts = ['params', 'query', 'body', 'response']

/** Turns the schemas of declared endpoints into getters that make them at their first use, as lists do in their source. */
const lateSchemas = (MagicString) => ({
  name: 'late-schemas',
  transform: {
    filter: { id: /\/packages\/domain\/src\/.*endpoints\.ts$/ },
    handler(code) {
      const changed = new MagicString(code)
      walk(this.parse(code, { lang: 'ts' }), (node) => {
        if (node.type !== 'CallExpression' || node.callee.name !== 'endpoint') return
        for (const { start, key, value } of (node.arguments[0].properties ?? []).filter(isMadeHere)) {
          changed.update(start, value.start, `get ${key.name}() { const late$ = `)
          changed.appendLeft(
            value.end,
            `; Object.defineProperty(this, '${key.name}', { value: late$ }); return late$ }`,
          )
        }
      })
      return withMap(changed)
    },
  },
})

/** A schema written in the declaration, not one of another name. */
const isMadeHere = ({ kind, key, value }) =>
  kind === 'init' && schemaParts.includes(key?.name) && value.type === 'CallExpression'

/** Hash of all sources; reading them takes 20 ms of processor. */
function fingerprintOf(root) {
  const hash = crypto.createHash('sha256')
  const visit = (folder) => {
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
      const file = path.join(folder, entry.name)
      if (entry.isDirectory()) visit(file)
      else if (/(?<!\.test)\.(m?ts|mjs|json)$/.test(entry.name)) add(file)
    }
  }
  const add = (file) => hash.update(`\n${path.relative(root, file)}\n`).update(fs.readFileSync(file))
  for (const folder of ['apps/server/src', 'apps/server/seeds', 'apps/web/src', 'packages'])
    visit(path.join(root, folder))
  add(path.join(root, 'package-lock.json'))
  return hash.digest('hex').slice(0, 16)
}

function forgetOldBundles(dist) {
  const folders = fs.readdirSync(dist).map((name) => path.join(dist, name))
  const newestFirst = folders.sort((a, b) => fs.statSync(b).mtimeMs - fs.statSync(a).mtimeMs)
  for (const folder of newestFirst.slice(keptBundles)) fs.rmSync(folder, { recursive: true, force: true })
}
