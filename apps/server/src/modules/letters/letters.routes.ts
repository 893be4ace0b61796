import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { downloadAcceptanceLetter } from '#domain/admissions/offer-endpoints.ts'
import * as calls from '#domain/letters/endpoints.ts'
import * as signing from '#domain/letters/signing-endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { sendPdf } from '#server/platform/files/send-pdf.ts'
import { receiveFile } from '#server/platform/files/stored-files.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { issueLetter } from './issue-letter.ts'
import { downloadLetter } from './letter-file.ts'
import { createKind, saveSignature, showKind, signatureRules, updateKind } from './letter-kinds.ts'
import { ownLetterFile, ownLetters, takeOwnLetter } from './own-letters.ts'
import {
  acceptanceLetter,
  lettersOfRegistration,
  serveLetterKinds,
  serveLetters,
  showLetter,
} from './registered-letters.ts'
import { removeCertificate, showSigning, storeCertificate } from './signing/certificates.ts'
import { withdrawLetter } from './withdraw-letters.ts'

/** The first printing creates the file or even the letter, so it is refused while viewing as another account. */
const firstPrinting = { raw: true, config: { seenAs: 'private' } } as const

/** Kinds of letters, the register, a registration's letters, and the public check of a code. */
export const letterRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    serveLetterKinds(app, services)
    serveLetters(app, services)
    serve(app, calls.readLetterKind, async (request) => ({
      data: await showKind(services, actorOf(request), request.params.id),
    }))
    serve(
      app,
      calls.createLetterKind,
      async (request) => {
        const actor = actorOf(request)
        return { data: await showKind(services, actor, await createKind(services, actor, request.body)) }
      },
      { status: 201 },
    )
    serve(app, calls.updateLetterKind, async (request) => {
      const actor = actorOf(request)
      await updateKind(services, actor, request.params.id, request.body)
      return { data: await showKind(services, actor, request.params.id) }
    })
    serve(app, calls.uploadLetterSignature, async (request) => {
      const actor = actorOf(request)
      const file = await receiveFile(services, request, signatureRules)
      await saveSignature(services, actor, request.params.id, file)
      return { data: await showKind(services, actor, request.params.id) }
    })
    serve(app, calls.removeLetterSignature, async (request) => {
      const actor = actorOf(request)
      await saveSignature(services, actor, request.params.id, null)
      return { data: await showKind(services, actor, request.params.id) }
    })

    serve(app, signing.readLetterSigning, async () => ({ data: await showSigning(services) }))
    serve(app, signing.storeLetterCertificate, async (request) => {
      await storeCertificate(services, actorOf(request), request.body)
      return { data: await showSigning(services) }
    })
    serve(app, signing.removeLetterCertificate, async (request) => {
      await removeCertificate(services, actorOf(request))
      return { data: await showSigning(services) }
    })

    serve(app, calls.listLettersOfRegistration, async (request) => ({
      data: await lettersOfRegistration(services, actorOf(request), request.params.id, languageOfRequest(request)),
    }))
    serve(app, calls.issueLetter, async (request) => {
      const { kindId, language } = request.body
      const actor = actorOf(request)
      const id = await issueLetter(services, actor, { registrationId: request.params.id, kindId, language })
      return { data: await showLetter(services, actor, id) }
    })
    serve(app, calls.listOwnLetters, async (request) => ({
      data: await ownLetters(services, actorOf(request), request.params.id, languageOfRequest(request)),
    }))
    serve(app, calls.takeOwnLetter, async (request) => {
      const { kindId, language } = request.body
      const actor = actorOf(request)
      const id = await takeOwnLetter(services, actor, request.params.id, kindId, language)
      return { data: await showLetter(services, actor, id) }
    })
    serve(
      app,
      calls.downloadOwnLetter,
      async (request, reply) => {
        const { id, letterId } = request.params
        const { name, bytes } = await ownLetterFile(services, actorOf(request), id, letterId)
        return sendPdf(reply, name, bytes)
      },
      firstPrinting,
    )
    serve(
      app,
      calls.downloadLetter,
      async (request, reply) => {
        const { name, bytes } = await downloadLetter(services, actorOf(request), request.params.id)
        return sendPdf(reply, name, bytes)
      },
      firstPrinting,
    )
    serve(app, calls.withdrawLetter, async (request) => {
      const actor = actorOf(request)
      await withdrawLetter(services, actor, request.params.id, request.body.reason)
      return { data: await showLetter(services, actor, request.params.id) }
    })
    serve(
      app,
      downloadAcceptanceLetter,
      async (request, reply) => {
        const { language = languageOfRequest(request) } = request.query
        const { name, bytes } = await acceptanceLetter(services, actorOf(request), request.params.id, language)
        return sendPdf(reply, name, bytes)
      },
      firstPrinting,
    )
  }
