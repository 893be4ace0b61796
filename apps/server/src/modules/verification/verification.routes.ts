import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/verification/endpoints.ts'
import type { Language } from '#entities/define/language.ts'
import { verifyRegistrationCard } from '#server/modules/admissions/registrations/verify-registration-card.ts'
import { verifyLetter } from '#server/modules/letters/verify-letter.ts'
import { verifyStudentCard } from '#server/modules/students/cards/student-card-code.ts'
import { notFound } from '#server/platform/errors.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'

export const verificationRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) =>
    serve(
      app,
      calls.verifyDocument,
      async (request) => ({ data: await verifyDocument(services, request.params.code, languageOfRequest(request)) }),
      { rateLimit: { max: 60, timeWindow: '1 minute' } },
    )

/**
 * The document a printed code belongs to and whether it is valid, with the holder's initials and programme only. Each
 * kind of document signs its codes differently, so at most one matches; throws 404 if none does.
 */
async function verifyDocument(services: Services, code: string, language: Language) {
  const document =
    (await verifyLetter(services, code, language)) ??
    (await verifyStudentCard(services, code)) ??
    (await verifyRegistrationCard(services, code))
  if (!document) throw notFound('document')
  return document
}
