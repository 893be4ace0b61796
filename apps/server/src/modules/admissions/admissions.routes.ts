import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/admissions/endpoints.ts'
import { type RequestedAction, registrationActions } from '#domain/admissions/requested-actions.ts'
import * as profileCalls from '#domain/applicants/staff-endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { sendPdf } from '#server/platform/files/send-pdf.ts'
import { cacheAnswer } from '#server/platform/http/cache-answer.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { readDashboard } from './dashboard.ts'
import { readIntake, readIntakeOptions } from './intake.ts'
import { changeApplicantProfile, listProfileChanges, readApplicantProfile } from './registrations/applicant-profile.ts'
import { serveRegistrations } from './registrations/list-registrations.ts'
import { requireVisible } from './registrations/load-registrations.ts'
import { addNote, listNotes } from './registrations/notes.ts'
import { registrationCard } from './registrations/registration-card.ts'
import { showRegistration } from './registrations/show-registration.ts'
import { readTimeline } from './registrations/timeline.ts'
import { readDecisionBasis } from './results/decision-facts.ts'
import { listPublications, setPublication } from './results/publish-results.ts'
import { previewBulk, runBulk } from './steps/bulk-steps.ts'
import { editRegistration, startRegistration } from './steps/start-registration.ts'
import { type AnyStep, steps } from './steps/steps.ts'

export const admissionRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const { db, clock } = services
    const answerIntake = cacheAnswer(clock, () => readIntake(db, clock.now()))

    serve(
      app,
      calls.readIntake,
      async (request, reply) => {
        const { body, etag } = await answerIntake()
        reply.header('etag', etag).header('cache-control', 'public, max-age=15')
        if (request.headers['if-none-match'] === etag) return reply.code(304).send()
        return reply.type('application/json; charset=utf-8').send(body)
      },
      { raw: true },
    )
    serve(app, calls.readIntakeOptions, async ({ query }) => ({
      data: await readIntakeOptions(db, query.waveId, query.trackId, clock.now()),
    }))

    serveRegistrations(app, services)
    serve(
      app,
      calls.createRegistration,
      async (request) => {
        const actor = actorOf(request)
        const id = await startRegistration(services, actor, request.body)
        return { data: await showRegistration(services, actor, id) }
      },
      { status: 201 },
    )
    serve(app, calls.readRegistration, async (request) => ({
      data: await showRegistration(services, actorOf(request), request.params.id),
    }))
    serve(app, calls.updateRegistration, async (request) => {
      const actor = actorOf(request)
      await editRegistration(services, actor, request.params.id, request.body)
      return { data: await showRegistration(services, actor, request.params.id) }
    })

    serve(app, calls.readDecisionBasis, async (request) => ({
      data: await readDecisionBasis(services, actorOf(request), request.params.id, request.query.programmeId),
    }))

    for (const action of registrationActions) serveStep(action)

    /** Serves the route of a step that people take. */
    function serveStep(action: RequestedAction) {
      const takeStep = steps[action] as AnyStep
      serve(app, calls.actionEndpoints[action], async (request) => {
        const actor = actorOf(request)
        const { id } = request.params
        await inTransaction(services, actor, async (context) => {
          await requireVisible(context.tx, actor, id)
          await takeStep(context, id, request.body)
        })
        return { data: await showRegistration(services, actor, id) }
      })
    }

    serve(app, calls.previewBulk, async (request) => ({
      data: await previewBulk(services, actorOf(request), request.body),
    }))
    serve(app, calls.runBulk, async (request) => ({ data: await runBulk(services, actorOf(request), request.body) }))

    serve(app, profileCalls.readApplicantProfile, async (request) => ({
      data: await readApplicantProfile(services, actorOf(request), request.params.id),
    }))
    serve(app, profileCalls.changeApplicantProfile, async (request) => ({
      data: await changeApplicantProfile(services, actorOf(request), request.params.id, request.body),
    }))
    serve(app, profileCalls.listProfileChanges, async (request) => ({
      data: await listProfileChanges(services, actorOf(request), request.params.id),
    }))

    serve(app, calls.listNotes, async (request) => ({
      data: await listNotes(services, actorOf(request), request.params.id),
    }))
    serve(
      app,
      calls.addNote,
      async (request) => ({ data: await addNote(services, actorOf(request), request.params.id, request.body.body) }),
      { status: 201 },
    )
    serve(app, calls.readTimeline, async (request) => ({
      data: await readTimeline(db, actorOf(request), request.params.id, clock.now()),
    }))
    serve(app, calls.readDashboard, async (request) => ({ data: await readDashboard(services, actorOf(request)) }))

    serve(app, calls.listPublications, async (request) => ({
      data: await listPublications(services, actorOf(request), languageOfRequest(request), request.query),
    }))
    serve(app, calls.setPublication, async (request) => ({
      data: await setPublication(services, actorOf(request), languageOfRequest(request), request.body),
    }))

    serve(
      app,
      calls.downloadCard,
      async (request, reply) => {
        const { language = languageOfRequest(request), size } = request.query
        const { name, bytes } = await registrationCard(services, actorOf(request), request.params.id, size, language)
        return sendPdf(reply, name, bytes)
      },
      { raw: true },
    )
  }
