import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/settings/endpoints.ts'
import { settingsSectionNames } from '#domain/settings/sections.ts'
import type { Settings } from '#domain/settings/settings.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { readBranding } from '#server/platform/branding.ts'
import { notFound } from '#server/platform/errors.ts'
import { getFile, receiveFile } from '#server/platform/files/stored-files.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { logoRules, readGeneral, saveGeneral, saveLogo } from './general-settings.ts'

export const settingsRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const { db, files } = services

    serve(app, calls.readGeneralSettings, async () => ({ data: await readGeneral(db) }))
    for (const section of settingsSectionNames)
      serve(app, calls.saveSection[section], async (request) => ({
        data: await saveGeneral(
          services,
          actorOf(request),
          section,
          request.body as { version: number } & Partial<Settings>,
        ),
      }))
    serve(app, calls.uploadLogo, async (request) => {
      const file = await receiveFile(services, request, logoRules)
      return { data: await saveLogo(services, actorOf(request), file) }
    })
    serve(app, calls.removeLogo, async (request) => ({ data: await saveLogo(services, actorOf(request), null) }))

    serve(app, calls.readInstallation, async () => ({
      data: { onOneMachine: !services.config.demo && services.config.databaseUrl === undefined },
    }))
    serve(app, calls.readBranding, async () => ({ data: await readBranding(services) }))
    serve(
      app,
      calls.readLogo,
      async ({ params }, reply) => {
        // Only the current logo: this public address must not serve other files.
        if ((await getSettings(db)).logoFileId !== params.id) throw notFound('file')
        const { thumbnailKey, storageKey } = await getFile(db, params.id)
        return reply
          .type(thumbnailKey ? 'image/webp' : 'image/jpeg')
          .header('content-security-policy', "default-src 'none'; sandbox")
          .header('cache-control', 'public, max-age=31536000, immutable')
          .send(await files.read(thumbnailKey ?? storageKey))
      },
      { raw: true },
    )
  }
