import { type Kysely, sql } from 'kysely'
import type { StartingSection } from '#domain/opening/endpoints.ts'
import { type StartingKind, startingKinds } from '#domain/opening/starting-kinds.ts'
import { permissionOf } from '#entities/define/entity.ts'
import type { Language } from '#entities/define/language.ts'
import { getEntity } from '#entities/index.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit, recordAudits } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { forbidden, invalid, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import type { Context } from '#server/platform/use-case.ts'
import { entityOf, noticeKey, type StartingDraft, startingDrafts, startingNotice } from './starting-rows.ts'

const permissionFor = (kind: StartingKind) =>
  kind === 'privacyNotice' ? 'settings-general-update' : permissionOf(getEntity(entityOf[kind]), 'create')

const noticeDraft: StartingDraft = {
  key: noticeKey,
  title: { en: 'General notice under Law 27 of 2022', id: 'Pemberitahuan umum menurut UU 27/2022' },
  note: null,
  values: {},
}
const draftsOf = (kind: StartingKind) => (kind === 'privacyNotice' ? [noticeDraft] : startingDrafts[kind])

/** Ids of existing rows by key in lower case; codes match regardless of case. */
async function findExisting(db: Db): Promise<Map<string, string>> {
  const { rows } = await sql<{ key: string; id: string }>`
    SELECT 'degreeLevels:' || code AS key, id FROM degree_levels
    UNION ALL SELECT 'entryLevels:' || code, id FROM entry_levels
    UNION ALL SELECT 'classProgrammes:' || code, id FROM class_programmes
    UNION ALL SELECT 'tracks:' || code, id FROM tracks
    UNION ALL SELECT 'trackFiles:' || t.code || ':' || f.name, f.id FROM track_files f JOIN tracks t ON t.id = f.track_id
    UNION ALL SELECT 'tests:' || code, id FROM tests
    UNION ALL SELECT 'feeComponents:' || code, id FROM fee_components
    UNION ALL SELECT 'installmentPlans:' || code, id FROM installment_plans
    UNION ALL SELECT 'messageTemplates:' || event, id FROM message_templates WHERE channel = 'email'`.execute(db)
  const existing = new Map(rows.map(({ key, id }) => [key.toLowerCase(), id]))
  const { privacyNotice } = await getSettings(db)
  if (privacyNotice.en !== '' || privacyNotice.id !== '') existing.set(noticeKey.toLowerCase(), '')
  return existing
}

/** Every row of the starting set; existing ones are marked. */
export async function readStartingSet(db: Db, actor: Actor): Promise<StartingSection[]> {
  const existing = await findExisting(db)
  return startingKinds.map((kind) => ({
    kind,
    missingPermission: actor.permissions.has(permissionFor(kind)) ? null : permissionFor(kind),
    rows: draftsOf(kind).map(({ key, title, note, parent }) => ({
      key,
      title,
      note,
      exists: existing.has(key.toLowerCase()),
      needs: parent?.key ?? null,
    })),
  }))
}

/** Adds the chosen rows in one transaction; existing rows stay unchanged, so adding twice adds once. */
export const addStartingSet = (services: Services, actor: Actor, language: Language, keys: readonly string[]) =>
  services.db.transaction().execute(async (tx) => {
    // Two concurrent calls would both count the same rows as added.
    await sql`SELECT pg_advisory_xact_lock(hashtextextended('starting-set', 0))`.execute(tx)
    const ids = await findExisting(tx)
    const chosenKeys = new Set(keys)
    const chosen = startingKinds.flatMap((kind) =>
      draftsOf(kind).flatMap((draft) => (chosenKeys.delete(draft.key) ? [{ kind, draft }] : [])),
    )
    if (chosenKeys.size > 0) throw notFound('starting-set')
    const added = chosen.filter(({ draft }) => !ids.has(draft.key.toLowerCase()))
    const lacking = [...new Set(added.map(({ kind }) => permissionFor(kind)))].find(
      (slug) => !actor.permissions.has(slug),
    )
    if (lacking) throw forbidden(lacking)
    refuseOrphans(
      added.map(({ draft }) => draft),
      ids,
      language,
    )
    const now = services.clock.now()
    for (const { kind, draft } of added)
      if (kind === 'privacyNotice') await writeNotice({ tx, actor, now })
      else ids.set(draft.key.toLowerCase(), await writeRow({ tx, actor, now }, kind, draft, ids))
    if (added.length > 0)
      await recordAudit(tx, actor, {
        action: 'opening.starting-set',
        on: { opening: 'starting-set' },
        after: { rows: added.map(({ draft }) => draft.key) },
      })
    return { added: added.length, sections: await readStartingSet(tx, actor) }
  })

/** Throws 422 if a row's parent neither exists nor is being added. */
function refuseOrphans(added: readonly StartingDraft[], ids: ReadonlyMap<string, string>, language: Language) {
  const addedKeys = new Set(added.map(({ key }) => key))
  const orphans = added.flatMap(({ title, parent }) =>
    parent && !ids.has(parent.key.toLowerCase()) && !addedKeys.has(parent.key) ? [{ title, parent }] : [],
  )
  if (orphans.length > 0)
    throw invalid({
      keys: orphans.map(({ title, parent }) => ({
        code: 'starting_row_needs',
        params: { row: title[language], needs: parent.key.split(':')[1] },
      })),
    })
}

async function writeRow(
  { tx, actor, now }: Omit<Context, 'services'>,
  kind: Exclude<StartingKind, 'privacyNotice'>,
  { values: ownValues, parent, terms = [] }: StartingDraft,
  ids: ReadonlyMap<string, string>,
): Promise<string> {
  const stamp = { createdAt: now, updatedAt: now, createdBy: actor.accountId, updatedBy: actor.accountId }
  const values = { ...ownValues, ...(parent && { [parent.column]: ids.get(parent.key.toLowerCase()) }) }
  const { id } = await (tx as unknown as Kysely<any>)
    .insertInto(kind)
    .values({ ...values, ...stamp })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (terms.length > 0)
    await tx
      .insertInto('installmentTerms')
      .values(terms.map((term, index) => ({ ...term, planId: id, sortOrder: index + 1, ...stamp })))
      .execute()
  const slug = entityOf[kind]
  await recordAudits(tx, actor, [
    { action: `${slug}.create`, on: { [slug]: id }, after: { id, ...values, active: true, version: 1 } },
  ])
  return id
}

async function writeNotice({ tx, actor, now }: Omit<Context, 'services'>) {
  const privacyNotice = startingNotice()
  const row = { value: JSON.stringify(privacyNotice), updatedAt: now, updatedBy: actor.accountId }
  await tx
    .insertInto('settings')
    .values({ key: 'privacyNotice', ...row })
    .onConflict((conflicting) =>
      conflicting.column('key').doUpdateSet((eb) => ({ ...row, version: eb('settings.version', '+', 1) })),
    )
    .execute()
  await recordAudit(tx, actor, { action: 'settings.update', on: { settings: 'privacy' }, after: { privacyNotice } })
}
