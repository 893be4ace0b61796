import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { universityCalendar } from '#domain/calendar.ts'
import { mustGet } from '#domain/must.ts'
import type { SurveyDefinition } from '#domain/surveys/definition.ts'
import type { ResponseOutcome } from '#domain/surveys/public-endpoints.ts'
import { lockLeadKeys, recordLead } from '#server/modules/leads/record-lead.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { contactIn, schoolIn } from './answer-rows.ts'
import { type Judged, judgeResponse, refusalOf, type Verdict } from './judge-response.ts'
import { definitionsOf, getLinkBySlug, isFull, type LinkRow, timeRefusal } from './survey-rows.ts'

type Sent = { sentAt: string; responses: readonly { id: string }[] }
type Candidate = Judged & { startedAtHere: Date; finishedAtHere: Date }
type Context = { link: LinkRow; definitions: ReadonlyMap<number, SurveyDefinition>; now: Date; offsetMs: number }

/** Stores the responses of a device. An id that was stored before is `known`, even with other answers. */
export async function takeResponses(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  slug: string,
  { sentAt, responses }: Sent,
  log: Pick<FastifyBaseLogger, 'warn'>,
): Promise<ResponseOutcome[]> {
  const { surveyId } = await getLinkBySlug(db, slug)
  const named = responses.map((response) => (response as { version?: unknown }).version)
  const numbers = [...new Set(named.filter((number): number is number => isVersion(number)))]
  const definitions = await definitionsOf(db, surveyId, numbers)
  const verdicts = responses.map((response) => ({
    id: response.id.toLowerCase(),
    ...judgeResponse(response, definitions),
  }))
  return db.transaction().execute(async (tx) => {
    const now = clock.now()
    const link = await getLinkBySlug(tx, slug, { lock: true })
    const offsetMs = now.getTime() - new Date(sentAt).getTime()
    const outcomes = await store(tx, { link, definitions, now, offsetMs }, verdicts)
    for (const { id, changed } of outcomes)
      if (changed) log.warn({ responseId: id }, 'a survey response came again with other answers')
    return outcomes.map(({ id, outcome, problems }) => ({ id, outcome, problems }))
  })
}

const isVersion = (number: unknown) =>
  Number.isInteger(number) && (number as number) >= 1 && (number as number) <= 1_000_000

type Outcome = ResponseOutcome & { changed?: boolean }

async function store(tx: Tx, context: Context, verdicts: readonly (Verdict & { id: string })[]): Promise<Outcome[]> {
  const { link, now, offsetMs } = context
  const known = await findKnown(
    tx,
    verdicts.map(({ id }) => id),
  )
  const accepted: Candidate[] = []
  let { taken } = link
  const outcomes = verdicts.map((verdict): Outcome => {
    const { id } = verdict
    const stored = known.get(id)
    if (stored) return { id, outcome: 'known', problems: [], changed: isChanged(stored, verdict) }
    if ('problems' in verdict) return { id, outcome: 'refused', problems: verdict.problems }
    const candidate = toServerClock(verdict.response, offsetMs, now)
    const refusal =
      timeRefusal(link, candidate.finishedAtHere) ?? (isFull({ ...link, taken }) ? ('survey_link_full' as const) : null)
    if (refusal) return { id, outcome: 'refused', problems: refusalOf(refusal) }
    known.set(id, candidate.digest)
    accepted.push(candidate)
    taken++
    return { id, outcome: 'stored', problems: [] }
  })
  if (accepted.length === 0) return outcomes
  // In id order, because two requests may store the same responses through different links and must not deadlock.
  const stored = await insertResponses(
    tx,
    context,
    accepted.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  )
  await tx
    .updateTable('surveyLinks')
    .set({ taken: sql`taken + ${stored.size}` })
    .where('id', '=', link.id)
    .execute()
  await recordContacts(
    tx,
    context,
    accepted.filter(({ id }) => stored.has(id)),
  )
  // An id missing from `stored` was stored meanwhile by a request for another link.
  return outcomes.map((outcome) =>
    outcome.outcome === 'stored' && !stored.has(outcome.id) ? { ...outcome, outcome: 'known' } : outcome,
  )
}

/** Digests of stored responses by id. A deleted response is known too, with an empty digest. */
async function findKnown(tx: Tx, ids: readonly string[]): Promise<Map<string, Buffer>> {
  const uuids = ids.filter((id) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id))
  const { rows } = await sql<{ id: string; digest: Buffer }>`
    SELECT id, digest FROM survey_responses WHERE id = ANY (${uuids}::uuid[])
    UNION ALL SELECT response_id, ''::bytea FROM survey_removals WHERE response_id = ANY (${uuids}::uuid[])`.execute(tx)
  return new Map(rows.map(({ id, digest }) => [id, digest]))
}

const isChanged = (digest: Buffer, verdict: Verdict) =>
  digest.length > 0 && !('response' in verdict && digest.equals(verdict.response.digest))

/** Converts a response's times to the server's clock, with `now` as the latest. */
function toServerClock(response: Judged, offsetMs: number, now: Date): Candidate {
  const finished = Math.min(Date.parse(response.finishedAt) + offsetMs, now.getTime())
  const started = Math.min(Date.parse(response.startedAt) + offsetMs, finished)
  return { ...response, startedAtHere: new Date(started), finishedAtHere: new Date(finished) }
}

/** Inserts responses with their answers and updates the counts; returns the ids that were new. */
async function insertResponses(tx: Tx, context: Context, accepted: readonly Candidate[]): Promise<Set<string>> {
  const { link, definitions, now, offsetMs } = context
  const calendar = universityCalendar()
  const named = (one: Candidate) => schoolIn(mustGet(definitions, one.version), one.answers)
  const schools = await existingSchools(
    tx,
    accepted.map(named).flatMap((school) => (school && 'id' in school ? [school.id] : [])),
  )
  const inserted = await tx
    .insertInto('surveyResponses')
    .values(
      accepted.map((one) => {
        const school = named(one)
        return {
          id: one.id,
          surveyId: link.surveyId,
          version: one.version,
          linkId: link.id,
          language: one.language,
          startedAt: one.startedAtHere,
          finishedAt: one.finishedAtHere,
          clockOffsetMs: offsetMs,
          receivedAt: now,
          day: calendar.dayOf(one.finishedAtHere),
          schoolId: school ? ('id' in school && schools.get(school.id)) || null : link.schoolId,
          answers: JSON.stringify(one.answers),
          digest: one.digest,
        }
      }),
    )
    .onConflict((same) => same.column('id').doNothing())
    .returning('id')
    .execute()
  const stored = new Set(inserted.map(({ id }) => id))
  const rows = accepted
    .filter(({ id }) => stored.has(id))
    .flatMap(({ id, rows }) => rows.map((row) => ({ responseId: id, surveyId: link.surveyId, ...row })))
  // PostgreSQL allows 65,535 parameters per statement.
  for (let start = 0; start < rows.length; start += 5000)
    await tx
      .insertInto('surveyAnswers')
      .values(rows.slice(start, start + 5000))
      .execute()
  await sql`SELECT count_survey_responses(${[...stored]}::uuid[], 1)`.execute(tx)
  return stored
}

/** Maps sent school ids to current ones, because schools may have been merged. Leaves out unknown ids. */
async function existingSchools(tx: Tx, ids: readonly string[]): Promise<Map<string, string>> {
  const named = [...new Set(ids)]
  if (named.length === 0) return new Map()
  const { rows } = await sql<{ named: string; id: string }>`
    SELECT id AS named, id FROM schools WHERE id = ANY (${named}::uuid[])
    UNION ALL SELECT former_id, school_id FROM school_aliases WHERE former_id = ANY (${named}::uuid[])`.execute(tx)
  return new Map(rows.map((row) => [row.named, row.id]))
}

/** Turns contacts into leads. */
async function recordContacts(tx: Tx, { link, definitions, now }: Context, stored: readonly Candidate[]) {
  const contacts = stored.flatMap((response) => {
    const contact = contactIn(mustGet(definitions, response.version), response.answers)
    return contact ? [{ response, contact, birthDate: contact.answer.birthDate?.trim() || null }] : []
  })
  await lockLeadKeys(
    tx,
    contacts.map(({ contact: { answer }, birthDate }) => ({ ...answer, birthDate })),
  )
  for (const { response, contact, birthDate } of contacts) {
    const { question, answer } = contact
    const school = schoolIn(mustGet(definitions, response.version), response.answers)
    const { schoolId } = await tx
      .selectFrom('surveyResponses')
      .select('schoolId')
      .where('id', '=', response.id)
      .executeTakeFirstOrThrow()
    const { leadId } = await recordLead(tx, {
      name: answer.name,
      phone: answer.phone,
      email: answer.email?.trim() || null,
      birthDate,
      schoolId,
      schoolName: school && 'name' in school ? school.name : null,
      major: null,
      programmeId: null,
      wish: null,
      origin: {
        kind: 'survey',
        surveyResponseId: response.id,
        affiliateId: link.affiliateId,
        ...(link.eventId && { eventId: link.eventId }),
      },
      consent: {
        text: question.consent![response.language],
        language: response.language,
        at: response.finishedAtHere,
      },
      now,
    })
    await tx.updateTable('surveyResponses').set({ leadId }).where('id', '=', response.id).execute()
  }
}
