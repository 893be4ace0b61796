import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { sql } from 'kysely'
import type { BulkItem } from '#domain/admissions/schemas.ts'
import { anyScope } from '#domain/payments/banks/after-restore/skipped-numbers.ts'
import * as calls from '#domain/students/endpoints.ts'
import {
  findRegistrations,
  type LoadedRegistration,
  requireVisible,
} from '#server/modules/admissions/registrations/load-registrations.ts'
import { asRefusal, bulkAnswer, refusedItem } from '#server/modules/admissions/steps/bulk-steps.ts'
import { type Actor, actorOf } from '#server/platform/access/authorization.ts'
import { seesAll } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import { sendPdf } from '#server/platform/files/send-pdf.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { ownCard } from './cards/own-card.ts'
import { cardsOfPrint, previewCards, printCards } from './cards/print-cards.ts'
import { issueStudentNumber } from './issue-student-number.ts'
import { serveStudents } from './list-students.ts'
import { serveWithdrawnNumbers } from './list-withdrawn.ts'
import { showStudent } from './show-student.ts'
import { withdrawNumber } from './withdraw-number.ts'

type Refusal = Pick<BulkItem, 'params'> & { reason: string }

export const studentRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const { db } = services

    serveStudents(app, services)
    serveWithdrawnNumbers(app, services)

    serve(app, calls.showStudent, async (request) => ({
      data: await showStudent(services, actorOf(request), request.params.registrationId),
    }))

    serve(app, calls.withdrawNumber, async (request) => {
      const actor = actorOf(request)
      const { registrationId } = request.params
      await inTransaction(services, actor, (context) => withdrawNumber(context, registrationId, request.body))
      return { data: { registrationId } }
    })

    serve(app, calls.numberGaps, async (request) => {
      // Gaps belong to no programme, so roles limited to programmes see none.
      const actor = actorOf(request)
      return { data: seesAll(actor) ? await numberGaps(db) : [] }
    })

    serve(app, calls.previewCards, async (request) => ({
      data: await previewCards(db, actorOf(request), request.body.ids),
    }))
    serve(app, calls.printCards, async (request) => ({
      data: await printCards(services, actorOf(request), request.body),
    }))
    serve(
      app,
      calls.downloadCards,
      async (request, reply) => {
        const { id } = request.params
        return sendPdf(reply, `${id.slice(0, 8)}`, await cardsOfPrint(services, actorOf(request), id))
      },
      { raw: true },
    )
    serve(app, calls.ownCard, async (request) => ({
      data: await ownCard(services, actorOf(request), request.params.id),
    }))

    serve(app, calls.issueNumber, async (request) => {
      const actor = actorOf(request)
      const { registrationId } = request.params
      const student = await inTransaction(services, actor, async (context) => {
        const { tx } = context
        await requireVisible(tx, actor, registrationId)
        return issueStudentNumber(context, registrationId)
      })
      const { name, programme } = await db
        .selectFrom('registrations as r')
        .innerJoin('applicants as a', 'a.id', 'r.applicantId')
        .innerJoin('studyProgrammes as p', 'p.id', 'r.acceptedProgrammeId')
        .select(['a.fullName as name', 'p.name as programme'])
        .where('r.id', '=', registrationId)
        .executeTakeFirstOrThrow()
      return { data: { ...student, name, programme } }
    })

    serve(app, calls.previewNumbers, async (request) => ({
      data: await forEach(actorOf(request), request.body.ids, async ({ facts }): Promise<Refusal | null> => {
        if (facts.studentNumber) return { reason: 'already_issued', params: {} }
        if (facts.status !== 'confirmed') return { reason: 'wrong_status', params: { status: facts.status } }
        return facts.untilNumber === 0 ? null : { reason: 'not_unlocked', params: {} }
      }),
    }))

    serve(app, calls.issueNumbers, async (request) => {
      const actor = actorOf(request)
      return {
        data: await forEach(actor, request.body.ids, async ({ row }) => {
          if (row.studentNumber) return { reason: 'already_issued', params: {} }
          try {
            await inTransaction(services, actor, (context) => issueStudentNumber(context, row.id))
            return null
          } catch (error) {
            return asRefusal(error)
          }
        }),
      }
    })

    /** Runs the step for each registration one by one; ids the actor may not see count as refused. */
    async function forEach(
      actor: Actor,
      ids: readonly string[],
      step: (loaded: LoadedRegistration) => Promise<Refusal | null>,
    ) {
      const loaded = new Map(
        (await findRegistrations(db, actor, ids, services.clock.now())).map((one) => [one.row.id, one]),
      )
      const items: BulkItem[] = []
      for (const id of new Set(ids)) {
        const found = loaded.get(id)
        if (!found) {
          items.push(refusedItem(id, undefined, 'not_found'))
          continue
        }
        const { code, name } = found.row
        const refusal = await step(found)
        items.push(
          refusal
            ? refusedItem(id, found.row, refusal.reason, refusal.params)
            : { id, code, name, done: true, reason: null, params: {} },
        )
      }
      return bulkAnswer(items)
    }
  }

const maxGaps = 500

/**
 * Ranges of running numbers that a counter has passed without issuing them, at most 500. `restored`: numbers were
 * skipped after restoring a backup.
 */
async function numberGaps(db: Db) {
  const { rows } = await sql<{ scope: string; first: number; last: number; restored: boolean }>`
    WITH issued AS (SELECT number_scope AS scope, number_value AS value FROM every_student_number WHERE number_scope IS NOT NULL
        UNION ALL SELECT scope, value + 1 FROM number_counters WHERE kind = 'student'),
      neighbours AS (SELECT scope, value, coalesce(lag(value) OVER (PARTITION BY scope ORDER BY value), 0) AS before FROM issued)
    SELECT n.scope, n.before + 1 AS first, n.value - 1 AS last,
      EXISTS (SELECT FROM number_gaps g WHERE g.kind = 'student' AND g.scope IN (n.scope, ${anyScope})) AS restored
    FROM neighbours n WHERE n.value > n.before + 1
    ORDER BY n.scope, n.value LIMIT ${maxGaps}`.execute(db)
  return rows
}
