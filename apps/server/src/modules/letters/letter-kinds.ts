import type { z } from 'zod'
import type { createLetterKind, LetterKind, updateLetterKind } from '#domain/letters/endpoints.ts'
import type { LetterAudience } from '#domain/letters/letter-texts.ts'
import type { Language } from '#entities/define/language.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { AppError, conflict, invalid, notFound } from '#server/platform/errors.ts'
import { claimFile, imageUrl, type StoredFile, type UploadRules } from '#server/platform/files/stored-files.ts'
import type { Services } from '#server/platform/services.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'

export const signatureRules: UploadRules = {
  kind: 'image',
  maxBytes: 2_000_000,
  acceptedTypes: ['image/png', 'image/jpeg', 'image/webp'],
  purpose: 'letter-signature',
  minWidth: 100,
  minHeight: 40,
}

const kindsWithTexts = (db: Db) =>
  db
    .selectFrom('letterKinds as k')
    .innerJoin('letterTemplates as t', 't.letterKindId', 'k.id')
    .select(['k.id', 'k.version', 'k.code', 'k.nameEn', 'k.nameId', 'k.audience', 'k.active', 'k.selfService'])
    .select(['k.templateVersion', 't.id as templateId', 't.createdAt as templateAt', 't.titleEn', 't.titleId'])
    .select(['t.bodyEn', 't.bodyId', 't.numberTemplate', 't.signatoryName', 't.signatoryTitle', 't.signatoryFileId'])
    .select('t.validDays')
    .$narrowType<{ audience: LetterAudience }>()

/** Kinds with the current version of their text. */
export const kindsWithText = (db: Db) => kindsWithTexts(db).whereRef('t.version', '=', 'k.templateVersion')

/** A kind with the given version of its text, current or earlier. */
export const kindOfTemplate = (db: Db, templateId: string): Promise<KindWithText> =>
  kindsWithTexts(db).where('t.id', '=', templateId).executeTakeFirstOrThrow()

export type KindWithText = Awaited<ReturnType<ReturnType<typeof kindsWithText>['executeTakeFirstOrThrow']>>

export async function getKind(db: Db, id: string): Promise<KindWithText> {
  const kind = await kindsWithText(db).where('k.id', '=', id).executeTakeFirst()
  if (!kind) throw notFound('letter_kind')
  return kind
}

export const kindName = (kind: Pick<KindWithText, 'nameEn' | 'nameId'>, language: Language) =>
  language === 'en' ? kind.nameEn : kind.nameId

/** A kind for its page. */
export async function showKind(services: Services, actor: Actor, id: string): Promise<LetterKind> {
  const { templateId: _, templateAt, signatoryFileId, ...kind } = await getKind(services.db, id)
  const { letters } = await services.db
    .selectFrom('letters')
    .select((eb) => eb.fn.countAll<number>().as('letters'))
    .where('letterKindId', '=', id)
    .executeTakeFirstOrThrow()
  return {
    ...kind,
    templateAt: templateAt.toISOString(),
    signatureUrl: signatoryFileId && imageUrl(services, actor, 'signature', signatoryFileId),
    letters,
  }
}

const textKeys = [
  'titleEn',
  'titleId',
  'bodyEn',
  'bodyId',
  'numberTemplate',
  'signatoryName',
  'signatoryTitle',
  'validDays',
] as const
type Created = z.output<typeof createLetterKind.body>
type Updated = z.output<typeof updateLetterKind.body>
type Text = Pick<Created, (typeof textKeys)[number]> & { signatoryFileId: string | null }

const textIn = (content: Omit<Created, 'code'>) =>
  Object.fromEntries(textKeys.map((key) => [key, content[key]])) as Omit<Text, 'signatoryFileId'>
const kindIn = ({ nameEn, nameId, audience, active, selfService }: Omit<Created, 'code'>) => ({
  nameEn,
  nameId,
  audience,
  active,
  selfService,
})

const insertText = ({ tx, actor, now }: Omit<Context, 'services'>, kindId: string, version: number, text: Text) =>
  tx
    .insertInto('letterTemplates')
    .values({ ...text, letterKindId: kindId, version, createdAt: now, createdBy: actor.accountId || null })
    .execute()

/** Adds a kind of letter with the first version of its text. */
export const createKind = (services: Services, actor: Actor, { code, ...content }: Created) =>
  services.db.transaction().execute(async (tx) => {
    const now = services.clock.now()
    const { id } = await tx
      .insertInto('letterKinds')
      .values({ code, ...kindIn(content), createdAt: now, updatedAt: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    await insertText({ tx, actor, now }, id, 1, { ...textIn(content), signatoryFileId: null })
    await recordAudit(tx, actor, {
      action: 'letter-kind.create',
      on: { 'letter-kind': id },
      after: { code, ...content },
    })
    return id
  })

/** Locks a kind against a second change; 404 if it does not exist, 409 if `version` is stale. */
async function lockKind(tx: Tx, id: string, version?: number) {
  const row = await tx.selectFrom('letterKinds').select('version').where('id', '=', id).forUpdate().executeTakeFirst()
  if (!row) throw notFound('letter_kind')
  if (version !== undefined && row.version !== version) throw conflict('stale_version')
  return getKind(tx, id)
}

/** Saves a kind. A changed text becomes the next version; issued letters keep theirs. */
async function storeKind(
  { tx, actor, now }: Context,
  before: KindWithText,
  kind: ReturnType<typeof kindIn>,
  text: Text,
) {
  const isNewText = [...textKeys, 'signatoryFileId' as const].some((key) => before[key] !== text[key])
  const templateVersion = before.templateVersion + (isNewText ? 1 : 0)
  if (isNewText) await insertText({ tx, actor, now }, before.id, templateVersion, text)
  await tx
    .updateTable('letterKinds')
    .set({ ...kind, templateVersion, version: before.version + 1, updatedAt: now })
    .where('id', '=', before.id)
    .execute()
  const old = { ...kindIn(before), ...textIn(before), signatoryFileId: before.signatoryFileId }
  const change = { before: old, after: { ...kind, ...text } }
  await recordAudit(tx, actor, { action: 'letter-kind.update', on: { 'letter-kind': before.id }, ...change })
}

export const updateKind = (services: Services, actor: Actor, id: string, { version, ...content }: Updated) =>
  inTransaction(services, actor, async (context) => {
    const { tx } = context
    const before = await lockKind(tx, id, version)
    if (content.audience !== before.audience) throw invalid({ audience: 'letter_audience_fixed' })
    const text = { ...textIn(content), signatoryFileId: before.signatoryFileId }
    await storeKind(context, before, kindIn(content), text)
  })

/** Changes the picture of the signature; null removes it. Earlier text versions keep theirs. */
export const saveSignature = (services: Services, actor: Actor, id: string, file: StoredFile | null) =>
  inTransaction(services, actor, async (context) => {
    const { tx } = context
    const before = await lockKind(tx, id)
    if (file) await claimFile(tx, file)
    const text = { ...textIn(before), signatoryFileId: file?.id ?? null }
    await storeKind(context, before, kindIn(before), text)
  })

/** 409 if the kind is inactive. */
export function requireActive({ active }: Pick<KindWithText, 'active'>) {
  if (!active) throw new AppError(409, 'letter_kind_inactive')
}
