import { sql } from 'kysely'
import { acceptanceCode } from '#domain/letters/letter-texts.ts'
import { listLetterKinds, listLetters } from '#domain/letters/lists.ts'
import type { Language } from '#entities/define/language.ts'
import { serveList } from '#server/list/serve-list.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { seesAll, visibleTo } from '#server/platform/access/row-scope.ts'
import { contains } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { sentences } from '#server/platform/text.ts'
import { assessLetter, issueLetter } from './issue-letter.ts'
import { readSubjects } from './letter-facts.ts'
import { getLetter, letterFile } from './letter-file.ts'
import { kindName, kindsWithText } from './letter-kinds.ts'

export const serveLetterKinds = (app: App, services: Services) =>
  serveList(app, services, listLetterKinds, {
    from: () => services.db.selectFrom('letterKinds as k'),
    scope: 'everyone',
    filters: {
      active: 'k.active',
      q: (q) => contains(sql`k.code || ' ' || k.name_en || ' ' || k.name_id`, q),
    },
    columns: (rows, { language }) =>
      rows
        .innerJoin('letterTemplates as t', (join) =>
          join.onRef('t.letterKindId', '=', 'k.id').onRef('t.version', '=', 'k.templateVersion'),
        )
        .select(['k.id', 'k.code', 'k.audience', 'k.active', 'k.updatedAt', 't.numberTemplate'])
        .select(nameColumn(language).as('name'))
        .select(sql<number>`(SELECT count(*)::int FROM letters l WHERE l.letter_kind_id = k.id)`.as('letters')),
    sorts: {
      name: { by: sql`lower(k.name_id)`, type: 'text' },
      code: { by: sql`k.code`, type: 'text' },
    },
    id: sql`k.id`,
  })

const nameColumn = (language: Language) => (language === 'en' ? sql<string>`k.name_en` : sql<string>`k.name_id`)

export const serveLetters = (app: App, services: Services) =>
  serveList(app, services, listLetters, {
    from: () => services.db.selectFrom('letters as l').innerJoin('registrations as r', 'r.id', 'l.registrationId'),
    scope: ({ actor }) => (seesAll(actor) ? 'everyone' : visibleTo(actor)),
    filters: {
      state: 'l.state',
      kind: (kind) => (eb) =>
        eb('l.letterKindId', 'in', (eb) => eb.selectFrom('letterKinds').select('id').where('code', '=', kind)),
      batch: (batch) =>
        sql<boolean>`l.id IN (SELECT m.letter_id FROM letter_batch_members m WHERE m.batch_id::text = ${batch})`,
      q: (q) => sql<boolean>`(starts_with(lower(l.number), lower(${q})) OR starts_with(lower(r.code), lower(${q}))
        OR ${contains(sql`l.facts->>'name'`, q)})`,
    },
    columns: (rows, { language }) =>
      rows
        .innerJoin('letterKinds as k', 'k.id', 'l.letterKindId')
        .leftJoin('accounts as u', 'u.id', 'l.issuedBy')
        .select(['l.id', 'l.number', 'l.registrationId', 'r.code', 'l.language', 'l.state', 'l.issuedAt'])
        .select(['u.name as issuedBy', 'l.validUntil', 'l.withdrawnReason'])
        .select(sql<string>`l.facts->>'name'`.as('name'))
        .select(nameColumn(language).as('kind')),
    sorts: {
      issuedAt: { by: sql`l.issued_at`, type: 'timestamptz' },
      number: { by: sql`l.number`, type: 'text' },
    },
    id: sql`l.id`,
  })

const columns = ['id', 'number', 'language', 'state', 'issuedAt', 'validUntil', 'withdrawnReason'] as const

/** One letter for pages. */
export async function showLetter(services: Services, actor: Actor, id: string) {
  const { number, language, state, issuedAt, validUntil, withdrawnReason } = await getLetter(services.db, actor, id)
  return { id, number, language, state, issuedAt, validUntil, withdrawnReason }
}

/** A registration's letters by kind, and why a kind cannot be issued now. */
export async function lettersOfRegistration(services: Services, actor: Actor, id: string, language: Language) {
  const [subject] = await readSubjects(services.db, actor, services.clock.now(), sql`r.id = ${id}`)
  if (!subject) throw notFound('registration')
  const kinds = await kindsWithText(services.db).orderBy('k.nameId').execute()
  const letters = await services.db
    .selectFrom('letters')
    .select([...columns, 'letterKindId'])
    .where('registrationId', '=', id)
    .orderBy('issuedAt', 'desc')
    .execute()
  const t = sentences(language)
  return {
    kinds: kinds.flatMap((kind) => {
      const own = letters.filter(({ letterKindId }) => letterKindId === kind.id)
      if (!kind.active && own.length === 0) return []
      const assessed = assessLetter(kind, subject, language)
      return [
        {
          id: kind.id,
          name: kindName(kind, language),
          selfService: kind.selfService,
          refusal:
            'refusal' in assessed
              ? t(`errors:${assessed.refusal.code}`, assessed.refusal.details as Record<string, unknown>)
              : null,
          letters: own.map(({ letterKindId: _, ...letter }) => letter),
        },
      ]
    }),
  }
}

/**
 * The acceptance letter of a published acceptance still in force. The first download issues it; later ones print it
 * again.
 */
export async function acceptanceLetter(services: Services, actor: Actor, registrationId: string, language: Language) {
  const kind = await services.db
    .selectFrom('letterKinds')
    .select('id')
    .where('code', '=', acceptanceCode)
    .executeTakeFirst()
  if (!kind) throw notFound('letter_kind')
  const id = await issueLetter(services, actor, { registrationId, kindId: kind.id, language, keepsText: true })
  return letterFile(services, actor, id)
}
