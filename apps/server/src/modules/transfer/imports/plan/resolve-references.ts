import { getEntity } from '#entities/index.ts'
import { fieldOf } from '#server/modules/transfer/imports/import-columns.ts'
import { sentenceOf } from '#server/modules/transfer/imports/problems.ts'
import { type Fault, textOfCell } from '#server/modules/transfer/imports/read-cell.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Found } from './find-references.ts'
import { type Draft, finderFor, type Planning, type Wrong } from './planning.ts'
import { reword } from './rewording.ts'

type Row = Exclude<Found, { fault: Fault }>
const isFault = (found: Found): found is { fault: Fault } => 'fault' in found

/** Replaces names and codes of a field by ids. */
export async function resolveReferences(
  planning: Planning,
  db: Db,
  key: string,
  drafts: readonly Draft[],
  wrong: Wrong,
) {
  const field = fieldOf(planning.entity, key)
  if (field.kind !== 'reference' && field.kind !== 'multiReference') return
  const search = finderFor(planning, db, field.to)
  await search.prepare(drafts.flatMap((draft) => draft.references.get(key)?.texts ?? []))
  const narrowing = 'within' in field ? field.within : undefined
  const aboveIds = await findParents(planning, db, key, drafts)

  for (const draft of drafts) {
    const reference = draft.references.get(key)
    if (!reference) continue
    const narrowedTo = narrowing ? draft.input[narrowing] : undefined
    const ids = typeof narrowedTo === 'string' ? [narrowedTo] : aboveIds(draft)
    const found = reference.texts.map((text) => search.find(text, ids ? { ids: new Set(ids) } : undefined))
    if (found.some(isFault)) {
      if (reference.placed?.profile?.whenUnknown === 'empty' && field.optional) draft.input[key] = null
      // A city that was not found has its problem already; its districts need none.
      else if (!(narrowing && draft.wrong && !ids))
        for (const [index, one] of found.entries()) {
          if (!isFault(one)) continue
          if (planning.isPending?.(field.to, reference.texts[index]!)) draft.wrong = true
          else wrong(draft, key, sentenceOf(one.fault), reference.placed)
        }
      continue
    }
    const rows = found as Row[]
    draft.input[key] = field.kind === 'reference' ? rows[0]!.id : [...new Set(rows.map(({ id }) => id))]
    if (rows.some(({ active }) => !active)) draft.inactive.add(key)
  }
}

/** Looks up the column that narrows a name, such as the province beside a city, in one statement for all drafts. */
async function findParents(planning: Planning, db: Db, key: string, drafts: readonly Draft[]) {
  const field = fieldOf(planning.entity, key)
  const target = 'to' in field ? getEntity(field.to) : undefined
  const above = target?.parent && target.fields[target.parent.field]
  if (above?.kind !== 'reference') return () => null
  const finder = finderFor(planning, db, above.to)
  await finder.prepare(drafts.map((draft) => aboveText(draft, key)).filter((text) => text !== ''))
  return (draft: Draft): string[] | null => {
    const text = aboveText(draft, key)
    const found = text ? finder.find(text) : undefined
    return found && 'id' in found ? [found.id] : null
  }
}

function aboveText({ line, references }: Draft, key: string) {
  const placed = references.get(key)?.placed
  return placed?.withinIndex === undefined
    ? ''
    : reword(textOfCell(line.cells[placed.withinIndex]), placed.profile?.within)
}
