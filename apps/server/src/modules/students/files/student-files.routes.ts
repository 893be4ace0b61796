import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/students/files/endpoints.ts'
import * as enrolment from '#domain/students/files/enrolment-endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { sendPdf } from '#server/platform/files/send-pdf.ts'
import { sendZip } from '#server/platform/files/send-zip.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { approveFiles } from './approve-files.ts'
import { correctEnrolmentData, ownEnrolmentData, readEnrolmentData, saveEnrolmentData } from './enrolment-data.ts'
import { serveStudentFiles } from './list-files.ts'
import { drawPaperReceipt, receivePapers, voidPapers } from './papers.ts'
import { fileKinds, showStudentFiles } from './student-files.ts'
import { zipOfFilter, zipOfPerson } from './zip-files.ts'

export const studentFileRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    serveStudentFiles(app, services)
    serve(app, calls.listFileKinds, async () => ({ data: await fileKinds(services) }))
    serve(app, calls.getStudentFiles, async (request) => ({
      data: await showStudentFiles(services, actorOf(request), request.params.id),
    }))
    serve(app, calls.approveFiles, async (request) => ({
      data: await approveFiles(services, actorOf(request), request.body),
    }))
    serve(app, calls.receivePapers, async (request) => ({
      data: await receivePapers(services, actorOf(request), request.params.id, request.body),
    }))
    serve(app, calls.voidPapers, async (request) => ({
      data: await voidPapers(services, actorOf(request), request.params.receiptId, request.body.reason),
    }))
    serve(app, enrolment.getEnrolmentData, async (request) => ({
      data: await ownEnrolmentData(services, actorOf(request), request.params.id),
    }))
    serve(app, enrolment.saveEnrolmentData, async (request) => ({
      data: await saveEnrolmentData(services, actorOf(request), request.params.id, request.body),
    }))
    serve(app, enrolment.readEnrolmentData, async (request) => ({
      data: await readEnrolmentData(services, actorOf(request), request.params.id),
    }))
    serve(app, enrolment.correctEnrolmentData, async (request) => ({
      data: await correctEnrolmentData(services, actorOf(request), request.params.id, request.body),
    }))
    serve(
      app,
      calls.zipStudentFiles,
      async (request, reply) =>
        sendZip(reply, await zipOfPerson(services, actorOf(request), request.params.id, request.query.template)),
      { raw: true },
    )
    serve(
      app,
      calls.zipFilteredFiles,
      async (request, reply) => {
        const { template, ...filters } = request.query
        return sendZip(reply, await zipOfFilter(services, actorOf(request), filters, template))
      },
      { raw: true },
    )
    serve(
      app,
      calls.printPapers,
      async (request, reply) => {
        const { language = languageOfRequest(request) } = request.query
        const { name, bytes } = await drawPaperReceipt(services, actorOf(request), request.params.receiptId, language)
        return sendPdf(reply, name, bytes)
      },
      { raw: true },
    )
  }
