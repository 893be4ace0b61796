// Fails if all files the sign-in page loads, gzipped, exceed the budget: applicants on slow lines wait for them.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const budget = 180_000
const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const dist = process.env.PMB_WEB_DIST ?? join(root, 'apps/web/dist')
const manifestFile = join(dist, '.vite/manifest.json')
if (!existsSync(manifestFile)) {
  console.error(`There is no build in ${dist}: run \`npm run build\` first.`)
  process.exit(1)
}
const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'))

const files = new Set()
const seen = new Set()
const take = (key) => {
  if (seen.has(key)) return
  seen.add(key)
  const chunk = manifest[key]
  if (!chunk) throw new Error(`${key} is not in the manifest: has the file moved?`)
  files.add(chunk.file)
  for (const sheet of chunk.css ?? []) files.add(sheet)
  for (const imported of chunk.imports ?? []) take(imported)
}

take('index.html')
take('src/modules/accounts/sign-in-page.tsx')
// The waves beside the form, and the texts in the larger of the two languages.
if (manifest['src/modules/accounts/sign-up/open-waves.tsx']) take('src/modules/accounts/sign-up/open-waves.tsx')
for (const namespace of ['common', 'titles', 'accounts']) take(`../../packages/locales/src/id/${namespace}.ts`)

const sizes = [...files].map((file) => ({ file, size: gzipSync(readFileSync(join(dist, file))).length }))
const page = gzipSync(readFileSync(join(dist, 'first-paint.js'))).length
const total = sizes.reduce((sum, { size }) => sum + size, page)
if (process.argv.includes('--list'))
  for (const { file, size } of sizes.sort((a, b) => b.size - a.size))
    console.log(`${(size / 1000).toFixed(1).padStart(7)} kB  ${file}`)
console.log(`sign-in page: ${(total / 1000).toFixed(1)} kB of gzipped JavaScript and CSS (at most ${budget / 1000} kB)`)
if (total > budget) process.exit(1)
