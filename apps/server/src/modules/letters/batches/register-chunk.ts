import crypto from 'node:crypto'
import { sql } from 'kysely'
import { universityCalendar } from '#domain/calendar.ts'
import type { BatchRequest } from '#domain/letters/batch-endpoints.ts'
import { mustGet } from '#domain/must.ts'
import type { Language } from '#entities/define/language.ts'
import { assessLetter, isStillTrue, takeLetterNumbers, validUntil } from '#server/modules/letters/issue-letter.ts'
import { type LetterFacts, readSubjects } from '#server/modules/letters/letter-facts.ts'
import { kindOfTemplate } from '#server/modules/letters/letter-kinds.ts'
import { type Actor, systemActor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { languageOf } from './people.ts'

type Member = { registrationId: string; language: Language }
type Outcome = { registrationId: string; letterId: string | null; refusal: string | null; details: string | null }
type NewLetter = Member & { id: string; facts: LetterFacts; replacesId: string | null }

/**
 * Registers the letters of one chunk in one transaction. Returns whether to print it: false once the batch was
 * cancelled. A registered chunk does not change. Locks batch, chunk and registrations, the latter in id order; a second
 * worker, a cancellation and a letter issued by hand wait.
 */
export const registerChunk = (services: Services, actor: Actor, batchId: string, number: number): Promise<boolean> =>
  services.db.transaction().execute(async (tx) => {
    const now = services.clock.now()
    const batch = await tx
      .selectFrom('letterBatches')
      .select(['status', 'language', 'letterTemplateId'])
      .where('id', '=', batchId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const chunk = await tx
      .selectFrom('letterBatchChunks')
      .select('registeredAt')
      .where('batchId', '=', batchId)
      .where('number', '=', number)
      .executeTakeFirstOrThrow()
    if (chunk.registeredAt) return true
    if (batch.status !== 'running') return false
    const members = await lockMembers(tx, batchId, number, batch.language)
    const kind = await kindOfTemplate(tx, batch.letterTemplateId)
    const ids = members.map(({ registrationId }) => registrationId)
    const subjects = new Map(
      (await readSubjects(tx, systemActor, now, sql`r.id = ANY(${ids}::uuid[])`)).map((subject) => [
        subject.id,
        subject,
      ]),
    )
    const standing = await validLetters(tx, kind.id, ids)
    const today = universityCalendar().dayOf(now)
    const newLetters: NewLetter[] = []
    const outcomes = members.map(({ registrationId, language }): Outcome => {
      const subject = mustGet(subjects, registrationId)
      const assessed = assessLetter(kind, subject, language)
      if ('refusal' in assessed) {
        const { code, details } = assessed.refusal
        return { registrationId, letterId: null, refusal: code, details: JSON.stringify(details) }
      }
      const { facts } = assessed
      const earlier = standing.get(`${registrationId} ${language}`)
      if (earlier?.letterTemplateId === kind.templateId && isStillTrue(earlier, facts, today))
        return { registrationId, letterId: earlier.id, refusal: null, details: null }
      const id = crypto.randomUUID()
      newLetters.push({ id, registrationId, language, facts, replacesId: earlier?.id ?? null })
      return { registrationId, letterId: id, refusal: null, details: null }
    })
    await replaceLetters(tx, newLetters)
    if (newLetters.length > 0) {
      const numbers = await takeLetterNumbers(tx, kind.numberTemplate, now, newLetters.length)
      const common = {
        letterKindId: kind.id,
        letterTemplateId: kind.templateId,
        issuedAt: now,
        issuedBy: actor.accountId || null,
        validUntil: validUntil(kind, now),
      }
      await tx
        .insertInto('letters')
        .values(
          newLetters.map(({ facts, ...letter }, index) => ({
            ...letter,
            ...common,
            ...numbers[index]!,
            facts: JSON.stringify(facts),
          })),
        )
        .execute()
      await recordAudit(tx, actor, {
        action: 'letter-batch.issue',
        on: { 'letter-batch': batchId },
        after: { chunk: number, letters: newLetters.length, from: numbers[0]!.number, to: numbers.at(-1)!.number },
      })
    }
    await writeOutcomes(tx, batchId, outcomes)
    await sql`UPDATE letter_batch_chunks SET registered_at = ${now} WHERE batch_id = ${batchId} AND number = ${number}`.execute(
      tx,
    )
    await sql`UPDATE letter_batches SET worked_at = ${now} WHERE id = ${batchId}`.execute(tx)
    return true
  })

/** Locks the registrations of a chunk. Returns its people in order, each with the language of the letter. */
async function lockMembers(tx: Tx, batchId: string, number: number, rule: BatchRequest['language']) {
  await sql`SELECT FROM registrations r
    WHERE r.id IN (SELECT registration_id FROM letter_batch_members WHERE batch_id = ${batchId} AND chunk = ${number})
    ORDER BY r.id FOR NO KEY UPDATE`.execute(tx)
  const { rows } = await sql<Member>`
    SELECT m.registration_id, u.language FROM letter_batch_members m
    JOIN registrations r ON r.id = m.registration_id JOIN accounts u ON u.id = r.account_id
    WHERE m.batch_id = ${batchId} AND m.chunk = ${number} ORDER BY m.position`.execute(tx)
  return rows.map(({ registrationId, language }) => ({ registrationId, language: languageOf(rule, language) }))
}

/** Valid letters of a kind, by registration and language. */
async function validLetters(db: Db, kindId: string, registrationIds: readonly string[]) {
  const rows = await db
    .selectFrom('letters')
    .select(['id', 'registrationId', 'language', 'facts', 'validUntil', 'letterTemplateId'])
    .where('letterKindId', '=', kindId)
    .where('state', '=', 'valid')
    .where('registrationId', 'in', [...registrationIds])
    .execute()
  return new Map(rows.map((row) => [`${row.registrationId} ${row.language}`, row]))
}

async function replaceLetters(tx: Tx, newLetters: readonly NewLetter[]) {
  const ids = newLetters.flatMap(({ replacesId }) => replacesId ?? [])
  if (ids.length > 0) await tx.updateTable('letters').set({ state: 'replaced' }).where('id', 'in', ids).execute()
}

const writeOutcomes = (tx: Tx, batchId: string, outcomes: readonly Outcome[]) =>
  sql`UPDATE letter_batch_members m SET letter_id = o.letter_id, refusal = o.refusal, refusal_details = o.details
    FROM unnest(${outcomes.map((outcome) => outcome.registrationId)}::uuid[],
      ${outcomes.map((outcome) => outcome.letterId)}::uuid[], ${outcomes.map((outcome) => outcome.refusal)}::text[],
      ${outcomes.map((outcome) => outcome.details)}::jsonb[]) o (registration_id, letter_id, refusal, details)
    WHERE m.batch_id = ${batchId} AND m.registration_id = o.registration_id`.execute(tx)
