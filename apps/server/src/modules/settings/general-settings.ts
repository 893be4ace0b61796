import { sql } from 'kysely'
import type { GeneralSettings } from '#domain/settings/endpoints.ts'
import { type NumberKind, numberKinds, templateProblem } from '#domain/settings/number-templates.ts'
import { keysOf, type SettingsSection, settingsSectionNames } from '#domain/settings/sections.ts'
import type { Settings } from '#domain/settings/settings.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { logoPath } from '#server/platform/branding.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { conflict, type FieldError, invalid } from '#server/platform/errors.ts'
import { claimFile, discardFile, type StoredFile, type UploadRules } from '#server/platform/files/stored-files.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { repeatedNumber } from './repeated-number.ts'

/** Reads all settings for their page: values, a version per section, and the last editor. */
export async function readGeneral(db: Db): Promise<GeneralSettings> {
  const values = await getSettings(db)
  const rows = await db
    .selectFrom('settings as s')
    .leftJoin('accounts as a', 'a.id', 's.updatedBy')
    .select(['s.key', 's.version', 's.updatedAt', 'a.name'])
    .execute()
  const of = (section: SettingsSection) => rows.filter(({ key }) => (keysOf(section) as string[]).includes(key))
  const lastOf = (section: SettingsSection) =>
    of(section).toSorted((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime())[0]
  return {
    values,
    logoUrl: values.logoFileId && logoPath(values.logoFileId),
    versions: Object.fromEntries(
      settingsSectionNames.map((section) => [section, of(section).reduce((sum, { version }) => sum + version, 0)]),
    ),
    edited: Object.fromEntries(
      settingsSectionNames.map((section) => {
        const last = lastOf(section)
        return [section, last ? { at: last.updatedAt.toISOString(), by: last.name } : null]
      }),
    ),
  }
}

/** Saves a section; 409 if it has changed since `version`. */
export const saveGeneral = (
  services: Services,
  actor: Actor,
  section: SettingsSection,
  { version, ...values }: { version: number } & Partial<Settings>,
) =>
  inTransaction(services, actor, async (context) => {
    const { tx } = context
    await oneAtATime(tx)
    const before = await readGeneral(tx)
    if (before.versions[section] !== version) throw conflict('stale_version')
    await check(tx, before.values, values)
    await keep(context, before.values, values, section)
    return readGeneral(tx)
  })

export const logoRules: UploadRules = {
  kind: 'image',
  maxBytes: 2_000_000,
  acceptedTypes: ['image/png', 'image/jpeg', 'image/webp'],
  purpose: 'logo',
  minWidth: 128,
  minHeight: 128,
}

/** Saves a new logo; null removes it. */
export const saveLogo = (services: Services, actor: Actor, file: StoredFile | null) =>
  inTransaction(services, actor, async (context) => {
    const { tx } = context
    await oneAtATime(tx)
    const before = await getSettings(tx)
    if (file) await claimFile(tx, file)
    await keep(context, before, { logoFileId: file?.id ?? null }, 'look')
    if (before.logoFileId) await discardFile(tx, before.logoFileId, services.clock.now())
    return readGeneral(tx)
  })

/** Sections are few and rarely saved, so one lock serialises all saves. */
const oneAtATime = (tx: Tx) => sql`SELECT pg_advisory_xact_lock(hashtext('general settings'))`.execute(tx)

async function check(tx: Tx, before: Settings, values: Partial<Settings>) {
  const problems: Record<string, FieldError> = {}
  for (const kind of numberKinds) {
    const template = values[kind]
    if (template === undefined || template === before[kind]) continue
    const problem = templateProblem(kind, template) ?? (await repeats(tx, kind, template))
    if (problem) problems[kind] = problem
  }
  if (await changesAgreedNotice(tx, before, values)) problems.consentVersion = 'consent_version_used'
  if (Object.keys(problems).length > 0) throw invalid(problems)
}

/** Whether the notice changes without a new version although somebody has agreed to its current version. */
async function changesAgreedNotice(tx: Tx, before: Settings, { privacyNotice, consentVersion }: Partial<Settings>) {
  if (!privacyNotice || JSON.stringify(privacyNotice) === JSON.stringify(before.privacyNotice)) return false
  if (consentVersion !== before.consentVersion) return false
  const agreed = await tx
    .selectFrom('accounts')
    .select('id')
    .where('consentVersion', '=', before.consentVersion)
    .limit(1)
    .executeTakeFirst()
  return agreed !== undefined
}

async function repeats(tx: Tx, kind: NumberKind, template: string): Promise<FieldError | undefined> {
  const example = await repeatedNumber(tx, kind, template)
  return example ? { code: 'number_repeats', params: { example } } : undefined
}

/** Writes changed values, one row per key, and records the previous values. */
async function keep(
  { tx, services, actor }: Context,
  before: Settings,
  values: Partial<Settings>,
  section: SettingsSection,
) {
  const now = services.clock.now()
  const changed = (Object.keys(values) as (keyof Settings)[]).filter(
    (key) => JSON.stringify(values[key]) !== JSON.stringify(before[key]),
  )
  if (changed.length === 0) return
  const pick = (from: Partial<Settings>) => Object.fromEntries(changed.map((key) => [key, from[key]]))
  for (const key of changed)
    await tx
      .insertInto('settings')
      .values({ key, value: JSON.stringify(values[key]), updatedAt: now, updatedBy: actor.accountId })
      .onConflict((conflicting) =>
        conflicting.column('key').doUpdateSet((eb) => ({
          value: eb.ref('excluded.value'),
          version: eb('settings.version', '+', 1),
          updatedAt: now,
          updatedBy: actor.accountId,
        })),
      )
      .execute()
  await recordAudit(tx, actor, {
    action: 'logoFileId' in values ? 'settings.logo' : 'settings.update',
    on: { settings: section },
    before: pick(before),
    after: pick(values),
  })
}
