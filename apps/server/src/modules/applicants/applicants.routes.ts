import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as endpoints from '#domain/applicants/endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import type { Db } from '#server/platform/database/database.ts'
import { sendPdf } from '#server/platform/files/send-pdf.ts'
import { receiveFile } from '#server/platform/files/stored-files.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { printDataSheet } from './data-sheet.ts'
import { licenceOf, refuseScanWithoutAnswer, saveLicence, saveLicenceScan, scanRules } from './driving-licence.ts'
import { profileOf, toProfile } from './profile.ts'
import { questionnaireOf, saveQuestionnaire } from './questionnaire.ts'
import { listRegions } from './regions.ts'
import { photoRules, refusePhotoWithoutProfile, savePhoto } from './save-photo.ts'
import { saveProfile } from './save-profile.ts'
import { proposeSchool, searchSchools } from './schools.ts'
import { saveSpecialNeeds, specialNeedsOf } from './special-needs.ts'

export const applicantRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const { db, clock } = services
    const simMeta = async () => ({ label: (await getSettings(db)).simLabel })

    serve(app, endpoints.getProfile, async (request) => {
      const actor = actorOf(request)
      const record = await profileOf(db, actor.accountId, clock.now())
      return { data: record && (await toProfile(services, actor, record)) }
    })
    serve(app, endpoints.updateProfile, async (request) => {
      const actor = actorOf(request)
      return { data: await toProfile(services, actor, await saveProfile(services, actor, request.body)) }
    })
    serve(app, endpoints.getSpecialNeeds, async (request) => ({
      data: { needs: await specialNeedsOf(db, actorOf(request)) },
    }))
    serve(app, endpoints.saveSpecialNeeds, async (request) => ({
      data: { needs: await saveSpecialNeeds(services, actorOf(request), request.body.needs) },
    }))
    serve(app, endpoints.uploadProfilePhoto, async (request) => {
      const actor = actorOf(request)
      await refusePhotoWithoutProfile(services, actor)
      const file = await receiveFile(services, request, photoRules)
      return { data: await toProfile(services, actor, await savePhoto(services, actor, file)) }
    })
    serve(app, endpoints.profileOptions, async () => ({ data: await profileOptions(db) }))
    serve(app, endpoints.listRegions, async ({ params, query }, reply) => {
      reply.header('cache-control', 'private, max-age=3600')
      return { data: await listRegions(db, params.level, query.parentId, query.q) }
    })

    serve(app, endpoints.searchSchools, async ({ query }) => ({ data: await searchSchools(db, query.q, query.cityId) }))
    serve(
      app,
      endpoints.proposeSchool,
      async (request) => ({ data: await proposeSchool(services, actorOf(request), request.body) }),
      {
        rateLimit: {
          max: 10,
          timeWindow: '1 day',
          keyOf: (request) => actorOf(request).accountId,
        },
      },
    )

    serve(app, endpoints.getDrivingLicence, async (request) => ({
      data: await licenceOf(services, actorOf(request)),
      meta: await simMeta(),
    }))
    serve(app, endpoints.saveDrivingLicence, async (request) => ({
      data: await saveLicence(services, actorOf(request), request.body),
      meta: await simMeta(),
    }))
    serve(app, endpoints.uploadDrivingLicence, async (request) => {
      const actor = actorOf(request)
      await refuseScanWithoutAnswer(services, actor)
      const file = await receiveFile(services, request, scanRules)
      return { data: await saveLicenceScan(services, actor, file), meta: await simMeta() }
    })

    serve(app, endpoints.getQuestionnaire, async (request) => ({
      data: await questionnaireOf(db, actorOf(request).accountId),
    }))
    serve(app, endpoints.saveQuestionnaire, async (request) => ({
      data: await saveQuestionnaire(services, actorOf(request), request.body),
    }))

    serve(
      app,
      endpoints.dataSheet,
      async (request, reply) => {
        const actor = actorOf(request)
        const pdf = await printDataSheet(services, actor, request.query.language ?? actor.language)
        return sendPdf(reply, 'data-sheet', pdf)
      },
      { raw: true },
    )
  }

/** Choices for the profile form's short lists, active ones only. */
async function profileOptions(db: Db) {
  const [religions, ethnicGroups, schoolTypes, majors] = await Promise.all([
    db.selectFrom('religions').select(['id', 'name']).where('active', '=', true).orderBy('code').execute(),
    db.selectFrom('ethnicGroups').select(['id', 'name']).where('active', '=', true).orderBy('name').execute(),
    db.selectFrom('schoolTypes').select(['id', 'code', 'name']).where('active', '=', true).orderBy('code').execute(),
    db
      .selectFrom('schoolMajors')
      .select(['id', 'name', 'schoolTypeId'])
      .where('active', '=', true)
      .orderBy('name')
      .execute(),
  ])
  const majorsOf = Map.groupBy(majors, ({ schoolTypeId }) => schoolTypeId)
  return {
    religions,
    ethnicGroups,
    schoolTypes: schoolTypes.map((type) => ({ ...type, majors: majorsOf.get(type.id) ?? [] })),
  }
}
