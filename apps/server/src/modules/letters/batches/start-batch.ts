import { sql } from 'kysely'
import type { BatchRequest } from '#domain/letters/batch-endpoints.ts'
import { fillLetter } from '#domain/letters/letter-texts.ts'
import { mustGet, theOnly } from '#domain/must.ts'
import type { Language } from '#entities/define/language.ts'
import { longDate } from '#locales/format.ts'
import { assessLetter } from '#server/modules/letters/issue-letter.ts'
import { textOf } from '#server/modules/letters/letter-document.ts'
import { readSubjects } from '#server/modules/letters/letter-facts.ts'
import { getKind, requireActive } from '#server/modules/letters/letter-kinds.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { conflict } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { sentences } from '#server/platform/text.ts'
import { letterBatchJob } from './letter-batch.job.ts'
import { languageOf, peopleOf } from './people.ts'

/** People per file: printable in one go, and cheap enough to repeat after a kill. */
export const chunkSize = 500

/** The preview counts letters only for batches up to this size. */
const assessedPeople = 1_000

/** Counts the people and letters of a batch, and fills in the letter of the first person by code. */
export async function previewBatch({ db, clock }: Services, actor: Actor, language: Language, request: BatchRequest) {
  const now = clock.now()
  const kind = await getKind(db, request.kindId)
  const people = peopleOf(actor, kind.audience, now, request)
  const { rows } = await sql<{ id: string; language: Language; people: number }>`
    SELECT r.id, u.language, (count(*) OVER ())::int AS people ${people} ORDER BY r.code LIMIT ${assessedPeople}`.execute(
    db,
  )
  const [first] = rows
  if (!first) return { people: 0, letters: 0, sample: null }
  const ids = (first.people > assessedPeople ? [first] : rows).map(({ id }) => id)
  const subjects = new Map(
    (await readSubjects(db, actor, now, sql`r.id = ANY(${ids}::uuid[])`)).map((subject) => [subject.id, subject]),
  )
  const subject = mustGet(subjects, first.id)
  const letterLanguage = languageOf(request.language, first.language)
  const assessed = assessLetter(kind, subject, letterLanguage)
  const { title, body } = textOf(kind, letterLanguage)
  const values = 'facts' in assessed ? await valuesOfSample(db, assessed.facts, letterLanguage, now) : undefined
  return {
    people: first.people,
    letters:
      ids.length < first.people
        ? null
        : rows.filter(
            (row) =>
              'facts' in assessLetter(kind, mustGet(subjects, row.id), languageOf(request.language, row.language)),
          ).length,
    sample: {
      name: subject.name,
      code: subject.code,
      language: letterLanguage,
      title: values ? fillLetter(title, values) : title,
      body: values ? fillLetter(body, values) : body,
      refusal:
        'refusal' in assessed
          ? sentences(language)(`errors:${assessed.refusal.code}`, assessed.refusal.details as Record<string, unknown>)
          : null,
    },
  }
}

async function valuesOfSample(db: Db, facts: Record<string, string>, language: Language, now: Date) {
  const { universityName, timeZone } = await getSettings(db)
  return { ...facts, number: '…', date: longDate(now, language, timeZone), university: universityName }
}

/**
 * Starts a batch: fixes its text and its people in order of their codes, and queues the job. 409 if nobody matches or
 * another batch of the kind is running.
 */
export async function startBatch(services: Services, actor: Actor, request: BatchRequest): Promise<string> {
  const { kindId, language, waveId, programmeId, trackId, stage } = request
  const now = services.clock.now()
  try {
    return await services.db.transaction().execute(async (tx) => {
      const kind = await getKind(tx, kindId)
      requireActive(kind)
      const people = peopleOf(actor, kind.audience, now, request)
      const { rows } = await sql<{ total: number }>`SELECT count(*)::int AS total ${people}`.execute(tx)
      const { total } = theOnly(rows)
      if (total === 0) throw conflict('letter_batch_empty')
      const { id } = await tx
        .insertInto('letterBatches')
        .values({
          letterKindId: kindId,
          letterTemplateId: kind.templateId,
          ...{ language, waveId, programmeId, trackId, stage, total },
          startedAt: now,
          startedBy: actor.accountId || null,
          workedAt: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await insertPeople(tx, id, people)
      await recordAudit(tx, actor, {
        action: 'letter-batch.start',
        on: { 'letter-batch': id },
        after: { kind: kind.code, people: total, language, waveId, programmeId, trackId, stage },
      })
      await services.jobs.enqueue(tx, letterBatchJob, { batchId: id })
      return id
    })
  } catch (error) {
    const { constraint } = error as { constraint?: string }
    if (constraint === 'letter_batches_one_running') throw conflict('letter_batch_running')
    throw error
  }
}

/** Inserts the batch's chunks and people, and sets its `total`. */
async function insertPeople(tx: Db, batchId: string, people: ReturnType<typeof peopleOf>) {
  await sql`
    WITH found AS (SELECT r.id, row_number() OVER (ORDER BY r.code) AS position ${people}),
      chunks AS (INSERT INTO letter_batch_chunks (batch_id, number, people)
        SELECT ${batchId}, (position - 1) / ${chunkSize}::int + 1, count(*) FROM found GROUP BY 2),
      counted AS (UPDATE letter_batches SET total = (SELECT count(*) FROM found) WHERE id = ${batchId})
    INSERT INTO letter_batch_members (batch_id, registration_id, position, chunk)
    SELECT ${batchId}, id, position, (position - 1) / ${chunkSize}::int + 1 FROM found`.execute(tx)
}
