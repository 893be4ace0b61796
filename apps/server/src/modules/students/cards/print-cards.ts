import type { CardLayout } from '#domain/students/endpoints.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { logoBytes } from '#server/platform/branding.ts'
import type { Db } from '#server/platform/database/database.ts'
import { invalid, notFound } from '#server/platform/errors.ts'
import { photoForPrint } from '#server/platform/files/photo-for-print.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { type CardFace, drawCards } from './draw-cards.ts'

/** For each chosen registration, in that order: name, copies printed so far, and why it gets no card. */
export async function previewCards(db: Db, actor: Actor, ids: readonly string[]) {
  const found = new Map((await holdersOf(db, actor, ids)).map((holder) => [holder.id, holder]))
  return [...new Set(ids)].map((id) => {
    const holder = found.get(id)
    if (!holder) return { id, name: null, refusal: 'not_found' as const, copies: 0 }
    const refusal = !holder.npm ? ('no_number' as const) : !holder.photoFileId ? ('no_photo' as const) : null
    return { id, name: holder.name, refusal, copies: holder.copies }
  })
}

const holdersOf = (db: Db, actor: Actor, ids: readonly string[]) =>
  db
    .selectFrom('registrations as r')
    .innerJoin('applicants as a', 'a.id', 'r.applicantId')
    .leftJoin('students as s', 's.registrationId', 'r.id')
    .select(['r.id', 'a.fullName as name', 'a.photoFileId', 's.npm'])
    .select((eb) =>
      eb.fn
        .coalesce(
          eb
            .selectFrom('studentCards')
            .select(({ fn }) => fn.max('copy').as('copy'))
            .whereRef('studentCards.npm', '=', 's.npm'),
          eb.lit(0),
        )
        .as('copies'),
    )
    .where('r.id', 'in', [...ids])
    .where(visibleTo(actor))
    .execute()

type Order = { ids: readonly string[]; layout: CardLayout; reason: string | null }

/**
 * Records a printing of cards for the students with a number and a photo; the others are left out. Locks the students:
 * two printings at once cannot both make the first copy. 422 if a further copy has no reason, 404 if no student gets a
 * card.
 */
export async function printCards(services: Services, actor: Actor, { ids, layout, reason }: Order) {
  return services.db.transaction().execute(async (tx) => {
    await tx
      .selectFrom('students as s')
      .innerJoin('registrations as r', 'r.id', 's.registrationId')
      .select('s.id')
      .where('r.id', 'in', [...ids])
      .where(visibleTo(actor))
      .orderBy('s.id')
      .forUpdate('s')
      .execute()
    const holders = (await holdersOf(tx, actor, ids)).flatMap(({ id: registrationId, npm, photoFileId, copies }) =>
      npm && photoFileId ? [{ registrationId, npm, copies }] : [],
    )
    if (holders.length === 0) throw notFound('student')
    if (reason === null && holders.some(({ copies }) => copies > 0)) throw invalid({ reason: 'copy_needs_reason' })
    const { id } = await tx
      .insertInto('studentCardPrints')
      .values({ layout, reason, printedAt: services.clock.now(), printedBy: actor.accountId })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('studentCards')
      .values(holders.map(({ copies, ...holder }) => ({ ...holder, copy: copies + 1, printId: id })))
      .execute()
    await recordAudit(tx, actor, {
      action: 'student-card.print',
      on: { 'student-card': id },
      after: { layout, cards: holders.length },
      reason,
    })
    return { id, printed: holders.length }
  })
}

/** Photos read at a time; each may have several megabytes. */
const photosAtOnce = 4

/** PDF of a printing: cards the actor may see whose number is still valid; 404 without any. Records each download. */
export async function cardsOfPrint(services: Services, actor: Actor, id: string) {
  const cards = await services.db
    .selectFrom('studentCards as c')
    .innerJoin('studentCardPrints as p', 'p.id', 'c.printId')
    .innerJoin('students as n', 'n.npm', 'c.npm')
    .innerJoin('registrations as r', 'r.id', 'c.registrationId')
    .innerJoin('applicants as a', 'a.id', 'r.applicantId')
    .innerJoin('waves as w', 'w.id', 'r.waveId')
    .innerJoin('studyProgrammes as sp', 'sp.id', 'n.programmeId')
    .innerJoin('faculties as f', 'f.id', 'sp.facultyId')
    .select(['p.layout', 'c.npm', 'c.copy', 'a.fullName as name', 'a.photoFileId', 'w.academicYear'])
    .select(['sp.name as programme', 'f.name as faculty'])
    .where('c.printId', '=', id)
    .where(visibleTo(actor))
    .orderBy('sp.name')
    .orderBy('c.npm')
    .execute()
  const [first] = cards
  if (!first) throw notFound('card')
  await recordAudit(services.db, actor, {
    action: 'student-card.download',
    on: { 'student-card': id },
    after: { cards: cards.length },
  })
  const settings = await getSettings(services.db)
  const faces: CardFace[] = []
  for (let start = 0; start < cards.length; start += photosAtOnce)
    faces.push(
      ...(await Promise.all(
        cards
          .slice(start, start + photosAtOnce)
          .map(async (card) => ({ ...card, photo: await photoForPrint(services, card.photoFileId) })),
      )),
    )
  return drawCards(services, {
    layout: first.layout as CardLayout,
    faces,
    settings,
    logo: await logoBytes(services, settings),
  })
}
