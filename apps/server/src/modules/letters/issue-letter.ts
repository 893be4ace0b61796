import crypto from 'node:crypto'
import { sql } from 'kysely'
import { shiftDay, universityCalendar } from '#domain/calendar.ts'
import { invitesToTest } from '#domain/letters/letter-texts.ts'
import { theOnly } from '#domain/must.ts'
import { seatStatusFor } from '#domain/testing/seat-status.ts'
import type { Language } from '#entities/define/language.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { formatNumber, takeNumbers } from '#server/platform/database/numbers.ts'
import { AppError, conflict, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { sentences } from '#server/platform/text.ts'
import type { Context } from '#server/platform/use-case.ts'
import { textOf } from './letter-document.ts'
import { dateTokens, factsFor, type LetterFacts, type LetterSubject, readSubjects } from './letter-facts.ts'
import { getKind, type KindWithText, kindOfTemplate, requireActive } from './letter-kinds.ts'

const sequenceToken = /\{SEQ:\d+\}/

/**
 * Takes the next `count` numbers of a template. Its counter is shared by all numbers that differ only in the running
 * part.
 */
export async function takeLetterNumbers(tx: Tx, template: string, now: Date, count: number) {
  const tokens = dateTokens(now)
  const scope = formatNumber(template.replace(sequenceToken, '#'), tokens, 0)
  const sequences = await takeNumbers(tx, 'letter', scope, count)
  return sequences.map((sequence) => ({
    numberScope: scope,
    sequence,
    number: formatNumber(template, tokens, sequence),
  }))
}

/** Last valid day of a letter issued now; null if it never expires. */
export const validUntil = ({ validDays }: Pick<KindWithText, 'validDays'>, now: Date) =>
  validDays === null ? null : shiftDay(universityCalendar().dayOf(now), validDays)

/** The facts to freeze in a letter of the kind, or the error that prevents it. */
export function assessLetter(
  kind: KindWithText,
  subject: LetterSubject,
  language: Language,
): { facts: LetterFacts } | { refusal: AppError } {
  if (!kind.active) return { refusal: new AppError(409, 'letter_kind_inactive') }
  if (kind.audience === 'accepted' && !subject.accepted)
    return { refusal: conflict(subject.published ? 'not_accepted' : 'result_not_published') }
  if (!subject.submitted) return { refusal: conflict('letter_not_registered') }
  if (invitesToTest(wordsOf(kind, language))) {
    if (isTestOver(subject)) return { refusal: conflict('letter_test_over') }
    if (!subject.session) return { refusal: conflict('letter_seat_first') }
  }
  const found = factsIn(kind, subject, language)
  if ('facts' in found) return found
  const t = sentences(language)
  const detail = found.missing.map((name) => t(`letters:placeholder.${name}`)).join(', ')
  return { refusal: new AppError(409, 'letter_facts_missing', { detail }) }
}

const wordsOf = (kind: KindWithText, language: Language) => {
  const { title, body } = textOf(kind, language)
  return `${title}\n${body}`
}

/** The facts the kind's text needs, or its placeholders without a value. */
const factsIn = (kind: KindWithText, subject: LetterSubject, language: Language) =>
  factsFor(subject, language, wordsOf(kind, language))

/** Whether no test is ahead. An unpublished decision does not count, so that requesting a letter cannot reveal it. */
const isTestOver = ({ status }: LetterSubject) => seatStatusFor(status) === null

type Standing = { facts: unknown; validUntil: string | null }

/** Whether a valid letter is still correct and may be issued again; `today` is in the university's time zone. */
export const isStillTrue = (standing: Standing, facts: LetterFacts, today: string) =>
  sameFacts(standing.facts, facts) && !(standing.validUntil && standing.validUntil < today)

const sameFacts = (one: unknown, other: LetterFacts) => {
  const entries = (facts: object) => JSON.stringify(Object.entries(facts).sort(([a], [b]) => (a < b ? -1 : 1)))
  return entries(one as object) === entries(other)
}

type IssuedLetter = { registrationId: string; kindId: string; language: Language; keepsText?: boolean }

/**
 * Issues a letter for a registration and returns its id. Returns the valid letter of the kind and language if it is
 * still correct. If facts changed, or the text unless `keepsText`, replaces it under a new number.
 */
export const issueLetter = (
  services: Services,
  actor: Actor,
  { registrationId, kindId, language, keepsText = false }: IssuedLetter,
) =>
  services.db.transaction().execute(async (tx) => {
    const now = services.clock.now()
    // Lock the registration: two clicks must not take two numbers.
    const { rows } = await sql`SELECT FROM registrations r WHERE r.id = ${registrationId} AND ${visibleTo(actor)}
      FOR NO KEY UPDATE`.execute(tx)
    if (rows.length === 0) throw notFound('registration')
    const kind = await getKind(tx, kindId)
    requireActive(kind)
    const subject = theOnly(await readSubjects(tx, actor, now, sql`r.id = ${registrationId}`))
    const assessed = assessLetter(kind, subject, language)
    if ('refusal' in assessed) throw assessed.refusal
    const standing = await validLetter(tx, { registrationId, letterKindId: kindId, language })
    const hasPresentText = standing?.letterTemplateId === kind.templateId
    if (standing && (keepsText || hasPresentText)) {
      const present = hasPresentText
        ? assessed
        : factsIn(await kindOfTemplate(tx, standing.letterTemplateId), subject, language)
      if ('facts' in present && isStillTrue(standing, present.facts, universityCalendar().dayOf(now)))
        return standing.id
    }
    return insertLetter({ tx, actor, now }, kind, {
      registrationId,
      language,
      facts: assessed.facts,
      replaces: standing,
    })
  })

const validLetter = (tx: Tx, key: { registrationId: string; letterKindId: string; language: Language }) =>
  tx
    .selectFrom('letters')
    .select(['id', 'facts', 'number', 'validUntil', 'letterTemplateId'])
    .where('registrationId', '=', key.registrationId)
    .where('letterKindId', '=', key.letterKindId)
    .where('language', '=', key.language)
    .where('state', '=', 'valid')
    .executeTakeFirst()

type NewLetter = {
  registrationId: string
  language: Language
  facts: LetterFacts
  replaces: { id: string; number: string } | undefined
}

/** Registers a letter under the next number, marking the one it replaces. Returns its id. */
async function insertLetter(
  { tx, actor, now }: Omit<Context, 'services'>,
  kind: KindWithText,
  letter: NewLetter,
): Promise<string> {
  const { registrationId, language, facts, replaces } = letter
  if (replaces) await tx.updateTable('letters').set({ state: 'replaced' }).where('id', '=', replaces.id).execute()
  const id = crypto.randomUUID()
  const number = theOnly(await takeLetterNumbers(tx, kind.numberTemplate, now, 1))
  await tx
    .insertInto('letters')
    .values({
      id,
      letterKindId: kind.id,
      letterTemplateId: kind.templateId,
      registrationId,
      language,
      ...number,
      facts: JSON.stringify(facts),
      issuedAt: now,
      issuedBy: actor.accountId || null,
      validUntil: validUntil(kind, now),
      replacesId: replaces?.id ?? null,
    })
    .execute()
  await recordAudit(tx, actor, {
    action: 'letter.issue',
    on: { letter: id },
    after: { kind: kind.code, number: number.number, registrationId, replaces: replaces?.number ?? null },
  })
  return id
}
