import type { Questionnaire } from '#domain/applicants/endpoints.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { conflict } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'

type Answers = Pick<Questionnaire, 'reasons' | 'criteria' | 'sources'> & {
  version: number
  other?: string | null | undefined
}

export async function questionnaireOf(db: Db, accountId: string) {
  const row = await db
    .selectFrom('questionnaires')
    .select(['reasons', 'criteria', 'sources', 'other', 'answeredAt', 'version'])
    .where('accountId', '=', accountId)
    .executeTakeFirst()
  return (row ?? null) as (Omit<Questionnaire, 'answeredAt'> & { answeredAt: Date }) | null
}

export async function saveQuestionnaire({ db, clock }: Services, actor: Actor, input: Answers) {
  const { version, reasons, criteria, sources } = input
  const other = input.other || null
  const answers = {
    reasons: [...new Set(reasons)],
    criteria: [...new Set(criteria)],
    sources: [...new Set(sources)],
    other,
  }
  await db.transaction().execute(async (tx) => {
    const saved = await tx
      .insertInto('questionnaires')
      .values({ accountId: actor.accountId, ...answers, answeredAt: clock.now() })
      .onConflict((conflicting) =>
        conflicting
          .column('accountId')
          .doUpdateSet({ ...answers, answeredAt: clock.now(), version: version + 1 })
          .where('questionnaires.version', '=', version),
      )
      .returning('version')
      .executeTakeFirst()
    // A first answer has version 1; any other version means that a row already exists.
    if (!saved || saved.version !== version + 1) throw conflict('stale_version')
    await recordAudit(tx, actor, { action: 'questionnaire.save', on: { account: actor.accountId }, after: answers })
  })
  return (await questionnaireOf(db, actor.accountId))!
}
