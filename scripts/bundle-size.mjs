// Fails if the files of the first pages, the public survey or a chart exceed their budgets in kB or requests, because
// people with slow connections wait for them. Also fails if a page other than the reports contains a part of the charts.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const chartBudget = 145_000
const surveyBudget = 60_000
const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const dist = process.env.PMB_WEB_DIST ?? join(root, 'apps/web/dist')
const manifestFile = join(dist, '.vite/manifest.json')
if (!existsSync(manifestFile)) {
  console.error(`There is no build in ${dist}: run \`npm run build\` first.`)
  process.exit(1)
}
const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'))

/** Adds to `files` what a manifest entry loads at once, without its lazy imports. */
function take(key, files, seen = new Set()) {
  if (seen.has(key)) return files
  seen.add(key)
  const chunk = manifest[key]
  if (!chunk) throw new Error(`${key} is not in the manifest: has the file moved?`)
  files.add(chunk.file)
  for (const sheet of chunk.css ?? []) files.add(sheet)
  for (const imported of chunk.imports ?? []) take(imported, files, seen)
  return files
}
const sizeOf = (file) => gzipSync(readFileSync(join(dist, file))).length
/** Compressed as the server sends it. */
const sentSizeOf = (file) => {
  const sent = existsSync(join(dist, `${file}.br`)) ? `${file}.br` : file
  return readFileSync(join(dist, sent)).length
}

/** Files by name of their group, which the manifest names by file. */
const groupOf = (name) => {
  const [key] = Object.entries(manifest).find(([key, chunk]) => key.startsWith('_') && chunk.name === name) ?? []
  if (!key) throw new Error(`No file of the build is called ${name}: has its group been renamed?`)
  return key
}
/** Bytes and requests of answers besides scripts and styles: the page, `first-paint.js`, and what the page asks the API. */
const pages = [
  { name: 'sign-in', groups: ['entrance', 'texts-id'], kB: 162, requests: 9 },
  { name: 'sign-up', groups: ['entrance', 'texts-id', 'sign-up'], kB: 168, requests: 11 },
  {
    name: 'dashboard of an applicant',
    groups: ['entrance', 'texts-id', 'dashboard-id', 'frame'],
    toasts: true,
    kB: 270,
    requests: 17,
  },
]
let isTooLarge = false
for (const { name, groups, toasts, kB, requests } of pages) {
  const files = take('index.html', new Set())
  for (const group of groups) take(groupOf(group), files)
  if (toasts) for (const part of ['src/app/toasts.tsx', 'src/shell/sentences.ts']) take(part, files)
  const sizes = [...files].map((file) => ({ file, size: sentSizeOf(file) }))
  if (process.argv.includes('--list'))
    for (const { file, size } of sizes.sort((a, b) => b.size - a.size))
      console.log(`${(size / 1000).toFixed(1).padStart(7)} kB  ${file}`)
  const total = ['index.html', 'first-paint.js'].reduce((sum, file) => sum + sentSizeOf(file), 0)
  const sum = sizes.reduce((before, { size }) => before + size, total)
  const count = files.size + 2
  console.log(
    `${name}: ${(sum / 1000).toFixed(1)} kB in ${count} requests, without the API (at most ${kB} kB, ${requests})`,
  )
  if (sum > kB * 1_000 || count > requests) isTooLarge = true
}
// On a slow line the app comes later: the page with the form in it, its style sheets and `first-paint.js`.
const firstPages = JSON.parse(readFileSync(join(dist, 'first-page.json'), 'utf8'))
const index = readFileSync(join(dist, 'index.html'), 'utf8')
const [, named] = /<meta name="files" content='([^']*)'/.exec(index)
for (const [name, kB, requests] of [
  ['sign-in', 20, 3],
  ['sign-up', 25, 4],
]) {
  const hrefs = [...index.matchAll(/rel="stylesheet"[^>]* href="([^"]+)"/g)].map(([, file]) => file)
  const ofPage = (JSON.parse(named)[name] ?? []).filter((file) => file.endsWith('.css'))
  const sheets = [...hrefs, ...ofPage].map((file) => file.slice('/app/'.length))
  const { html } = firstPages[`${name} id empty`]
  const sum = ['first-paint.js', ...sheets].reduce(
    (before, file) => before + sentSizeOf(file),
    brotliCompressSync(index + html).length,
  )
  const count = sheets.length + 2
  console.log(
    `${name} before the app: ${(sum / 1000).toFixed(1)} kB in ${count} requests (at most ${kB} kB, ${requests})`,
  )
  if (sum > kB * 1_000 || count > requests) isTooLarge = true
}
const page = sizeOf('first-paint.js')

// The public survey has its own build, whose files all load at once.
const surveyManifest = JSON.parse(readFileSync(join(dist, '.vite/survey.json'), 'utf8'))
const surveyFiles = new Set(Object.values(surveyManifest).flatMap(({ file, css = [] }) => [file, ...css]))
const surveyTotal = [...surveyFiles].reduce((sum, file) => sum + sizeOf(file), sizeOf('survey.html') + page)
console.log(`public survey: ${(surveyTotal / 1000).toFixed(1)} kB of gzipped files (at most ${surveyBudget / 1000} kB)`)

const chart = 'src/modules/reports/charts/chart-drawing.tsx'
const ofReportPage = take('src/modules/reports/report-page.tsx', take('index.html', new Set()))
const ofCharts = [...take(chart, new Set())].filter((file) => !ofReportPage.has(file))
const chartTotal = ofCharts.reduce((sum, file) => sum + sizeOf(file), 0)
console.log(
  `charts: ${(chartTotal / 1000).toFixed(1)} kB of gzipped JavaScript and CSS (at most ${chartBudget / 1000} kB)`,
)
// The library is the largest file; small ones may be shared, such as a Mantine hook.
const library = ofCharts.toSorted((a, b) => sizeOf(b) - sizeOf(a))[0]
const carriers = Object.keys(manifest).filter((key) => key !== chart && take(key, new Set()).has(library))
if (carriers.length > 0) console.error(`Charts are loaded at once by ${carriers.join(', ')}`)
// Only the server knows the phone numbers of all countries.
const built = [...Object.values(manifest), ...Object.values(surveyManifest)].map(({ file }) => file)
const withCountries = built.filter(
  (file) => file.endsWith('.js') && readFileSync(join(dist, file), 'utf8').includes('INVALID_COUNTRY'),
)
if (withCountries.length > 0) console.error(`The phone numbers of all countries are in ${withCountries.join(', ')}`)
if (
  withCountries.length > 0 ||
  isTooLarge ||
  surveyTotal > surveyBudget ||
  chartTotal > chartBudget ||
  carriers.length > 0
)
  process.exit(1)
