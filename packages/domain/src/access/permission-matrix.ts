import type { Localized } from '#entities/define/language.ts'
import { capitalised } from '#entities/define/language.ts'
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
  /** Slug without the verb. */
  key: string
  name: Localized
  cells: Partial<Record<MatrixVerb, Cell>>
  /** Permissions with this key whose verb has no column. */
  others: Cell[]
}
export type MatrixGroup = { group: string; rows: MatrixRow[] }

/** Drops the verb: `Edit: faculty` → `faculty`. */
const thingOf = (text: string) => text.replace(/^[^:]{1,20}: /, '')
function splitSlug(slug: string): { key: string; verb: MatrixVerb } | undefined {
  const lastDash = slug.lastIndexOf('-')
  const verb = verbOf[slug.slice(lastDash + 1)]
  return verb && lastDash > 0 ? { key: slug.slice(0, lastDash), verb } : undefined
}

/** Permissions as a table: a row per thing, a column per verb, other permissions in `others`. */
export function matrixOf(catalogue: Catalogue): MatrixGroup[] {
  const groups = Map.groupBy(catalogue, ({ group }) => group)
  const order = Object.keys(permissionGroups)
  const sortedGroups = [...groups].toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b))
  return sortedGroups.map(([group, cells]) => {
    const rows = new Map<string, MatrixRow>()
    const rowFor = (key: string, cell: Cell) => {
      const row = rows.get(key) ?? {
        key,
        name: { en: capitalised(thingOf(cell.name.en)), id: capitalised(thingOf(cell.name.id)) },
        cells: {},
        others: [],
      }
      rows.set(key, row)
      return row
    }
    const cellsWithoutVerb: Cell[] = []
    for (const cell of cells) {
      const slugParts = splitSlug(cell.slug)
      if (!slugParts) cellsWithoutVerb.push(cell)
      else rowFor(slugParts.key, cell).cells[slugParts.verb] = cell
    }
    for (const cell of cellsWithoutVerb) {
      const [longest] = [...rows]
        .filter(([key]) => cell.slug.startsWith(`${key}-`))
        .toSorted(([a], [b]) => b.length - a.length)
      const { others } = longest ? longest[1] : rowFor(cell.slug, cell)
      others.push(cell)
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
  /** Whether every permission of the group is held. */
  everything: boolean
  /** Things grouped by their set of verbs, so that one sentence covers all things with the same verbs. */
  things: { verbs: MatrixVerb[]; names: Localized[] }[]
  /** Names of permissions without a plain verb. */
  others: Localized[]
}

/** Summary of a permission set for sentences: by group, with things of equal verbs together. */
export function abilitiesOf(catalogue: Catalogue, heldSlugs: ReadonlySet<string>): Ability[] {
  return matrixOf(catalogue).flatMap(({ group, rows }) => {
    const groupSlugs = rows.flatMap(slugsOfRow)
    const heldOfGroup = groupSlugs.filter((slug) => heldSlugs.has(slug))
    if (heldOfGroup.length === 0) return []
    const byVerbs = new Map<string, Localized[]>()
    const others: Localized[] = []
    for (const row of rows) {
      const verbs = matrixVerbs.filter((verb) => row.cells[verb] && heldSlugs.has(row.cells[verb].slug))
      if (verbs.length > 0) byVerbs.set(verbs.join(' '), [...(byVerbs.get(verbs.join(' ')) ?? []), row.name])
      for (const { slug, name } of row.others)
        if (heldSlugs.has(slug)) others.push({ en: thingOf(name.en), id: thingOf(name.id) })
    }
    const things = [...byVerbs].map(([verbs, names]) => ({ verbs: verbs.split(' ') as MatrixVerb[], names }))
    return [{ group, everything: heldOfGroup.length === groupSlugs.length, things, others }]
  })
}
