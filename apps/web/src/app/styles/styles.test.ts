import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const web = path.resolve(import.meta.dirname, '../..')
const core = path.resolve(web, '../../../node_modules/@mantine/core')
const sources = fs
  .readdirSync(web, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.test.ts'))
  .map((name) => ({ name, text: fs.readFileSync(path.join(web, name), 'utf8') }))

/** Module of the library by the name of its export. */
const moduleOf = new Map<string, string>()
const index = fs.readFileSync(path.join(core, 'esm/index.mjs'), 'utf8')
for (const [, names, file] of index.matchAll(/import \{([^}]*)\} from "(\.[^"]+)"/g))
  for (const name of names!.split(',')) moduleOf.set(name.trim().split(' as ').at(-1)!, path.join(core, 'esm', file!))

/** Controls of the library that its other packages import. */
const controlsOfPackages = ['charts', 'dates', 'notifications', 'spotlight'].flatMap((name) => {
  const folder = path.join(core, `../${name}/esm`)
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.mjs'))
    .map((file) => fs.readFileSync(path.join(folder, file), 'utf8'))
    .flatMap((text) => [...text.matchAll(/import \{([^}]*)\} from "@mantine\/core"/g)])
    .flatMap(([, names]) => names!.split(',').map((one) => one.trim()))
})

/** Names of the sheets of a module and of all that it imports. */
function addSheets(file: string, sheets: Set<string>, seen: Set<string>) {
  if (seen.has(file) || !fs.existsSync(file)) return
  seen.add(file)
  const sheet = /(\w+)\.module\.mjs$/.exec(file)?.[1]
  if (sheet) sheets.add(sheet)
  for (const [, imported] of fs.readFileSync(file, 'utf8').matchAll(/from "(\.[^"]+)"/g))
    addSheets(path.join(path.dirname(file), imported!), sheets, seen)
}

const loadedBy = (name: string) =>
  [...fs.readFileSync(path.join(import.meta.dirname, name), 'utf8').matchAll(/styles\/([\w-]+)\.layer\.css/g)].map(
    ([, sheet]) => sheet!,
  )

test('each control that a screen draws has its style sheet, and no sheet is loaded for a control that none draws', () => {
  const drawn = new Set<string>()
  const seen = new Set<string>()
  for (const { text } of sources)
    for (const [, names] of text.matchAll(/import(?! type) \{([^}]*)\} from '@mantine\/core'/g))
      for (const name of names!.split(',').map((part) => part.trim().split(' as ')[0]!))
        if (!name.startsWith('type ')) addSheets(moduleOf.get(name) ?? '', drawn, seen)
  // Toasts, the search and the date inputs are drawn by packages of their own, out of the same controls.
  for (const control of controlsOfPackages) addSheets(moduleOf.get(control) ?? '', drawn, seen)
  const loaded = ['first-styles.ts', 'all-styles.ts', '../toasts.tsx'].flatMap(loadedBy)
  expect(drawn.size).toBeGreaterThan(40)
  expect([...drawn].filter((sheet) => !loaded.includes(sheet))).toEqual([])
  // Sheets that no module names: Mantine's foundations, and Flex, which Group and Stack share.
  const foundations = ['baseline', 'default-css-variables', 'global', 'Flex']
  expect(loaded.filter((sheet) => !drawn.has(sheet) && !foundations.includes(sheet))).toEqual([])
})

test('inputs for days and times come with their style sheet', () => {
  const direct = sources.filter(({ text }) => /from '@mantine\/dates'/.test(text)).map(({ name }) => name)
  expect(direct.sort()).toEqual(['app/layouts/date-words.tsx', 'ui/form/dates.ts'])
})
