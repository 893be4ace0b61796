import type { PermissionRow } from './endpoints.ts'
import { permissionGroups } from './permissions.ts'

export const matrixVerbs = ['view', 'create', 'update', 'delete'] as const
export type MatrixVerb = (typeof matrixVerbs)[number]

const verbOf: Record<string, MatrixVerb> = {
  view: 'view',
  create: 'create',
  update: 'update',
  edit: 'update',
  delete: 'delete',
}

type Catalogue = readonly Pick<PermissionRow, 'slug' | 'name' | 'group'>[]
type Cell = Catalogue[number]

export type MatrixRow = {
  /** What its permissions are about: their slug without the verb. */
  key: string
  name: { en: string; id: string }
  cells: Partial<Record<MatrixVerb, Cell>>
  /** Permissions of the same thing that are no plain verb. */
  others: Cell[]
}
export type MatrixGroup = { group: string; rows: MatrixRow[] }

/** `Edit: faculty` is about the faculty. */
const thingOf = (text: string) => text.replace(/^[^:]{1,20}: /, '')
const capital = (text: string) => text.replace(/^./, (letter) => letter.toUpperCase())

function splitSlug(slug: string): { key: string; verb: MatrixVerb } | undefined {
  const cut = slug.lastIndexOf('-')
  const verb = verbOf[slug.slice(cut + 1)]
  return verb && cut > 0 ? { key: slug.slice(0, cut), verb } : undefined
}

/** The permissions as a table: a row for each thing, a column for each verb, and beside them what fits no column. */
export function matrixOf(catalogue: Catalogue): MatrixGroup[] {
  const groups = Map.groupBy(catalogue, ({ group }) => group)
  const order = Object.keys(permissionGroups)
  const inOrder = [...groups].toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b))
  return inOrder.map(([group, cells]) => {
    const rows = new Map<string, MatrixRow>()
    const rowFor = (key: string, cell: Cell) => {
      const row = rows.get(key) ?? {
        key,
        name: { en: capital(thingOf(cell.name.en)), id: capital(thingOf(cell.name.id)) },
        cells: {},
        others: [],
      }
      rows.set(key, row)
      return row
    }
    const rest: Cell[] = []
    for (const cell of cells) {
      const split = splitSlug(cell.slug)
      if (!split) rest.push(cell)
      else rowFor(split.key, cell).cells[split.verb] = cell
    }
    for (const cell of rest) {
      const near = [...rows.keys()]
        .filter((key) => cell.slug.startsWith(`${key}-`))
        .toSorted((a, b) => b.length - a.length)[0]
      if (near) rows.get(near)!.others.push(cell)
      else rowFor(cell.slug, cell).others.push(cell)
    }
    return { group, rows: [...rows.values()] }
  })
}

export const slugsOfRow = ({ cells, others }: MatrixRow): string[] => [
  ...Object.values(cells).map(({ slug }) => slug),
  ...others.map(({ slug }) => slug),
]

export type Ability = {
  group: string
  /** Holds every permission of the group. */
  everything: boolean
  /** Things by what may be done with them: the verbs that go together and what they are done to. */
  things: { verbs: MatrixVerb[]; names: { en: string; id: string }[] }[]
  /** What is no plain verb, as it is called. */
  others: { en: string; id: string }[]
}

/** What somebody with these permissions can do, as sentences are made of it: grouped, and things with equal verbs together. */
export function abilitiesOf(catalogue: Catalogue, held: ReadonlySet<string>): Ability[] {
  return matrixOf(catalogue).flatMap(({ group, rows }) => {
    const all = rows.flatMap(slugsOfRow)
    const own = all.filter((slug) => held.has(slug))
    if (own.length === 0) return []
    const byVerbs = new Map<string, { en: string; id: string }[]>()
    const others: { en: string; id: string }[] = []
    for (const row of rows) {
      const verbs = matrixVerbs.filter((verb) => row.cells[verb] && held.has(row.cells[verb].slug))
      if (verbs.length > 0) byVerbs.set(verbs.join(' '), [...(byVerbs.get(verbs.join(' ')) ?? []), row.name])
      for (const { slug, name } of row.others)
        if (held.has(slug)) others.push({ en: thingOf(name.en), id: thingOf(name.id) })
    }
    const things = [...byVerbs].map(([verbs, names]) => ({ verbs: verbs.split(' ') as MatrixVerb[], names }))
    return [{ group, everything: own.length === all.length, things, others }]
  })
}
