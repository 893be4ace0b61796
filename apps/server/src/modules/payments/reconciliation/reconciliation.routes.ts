import '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/payments/reconciliation-endpoints.ts'
import { statementMapping } from '#domain/payments/statement-csv.ts'
import { mostStatementBytes } from '#domain/payments/statement-lines.ts'
import { actorOf } from '#server/platform/authorization.ts'
import { languageOfRequest } from '#server/platform/error-handler.ts'
import { invalid } from '#server/platform/errors.ts'
import { serve } from '#server/platform/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { wholeView } from './account-queue.ts'
import { createBankAccount, listBankAccounts, saveMapping, updateBankAccount } from './bank-accounts.ts'
import { compareDay } from './compare-days.ts'
import { exportReconciliation } from './export-reconciliation.ts'
import { importStatement, previewStatement } from './import-statement.ts'
import { statementFile } from './read-statement.ts'
import { listDays, listDifferences, listStatementLines, listStatements, readDay } from './reconciliation-lists.ts'
import { askRecordLine } from './record-line.ts'
import { settleDifference } from './settle-difference.ts'
import { explainLine, findCandidates, matchLine, reopenLine } from './settle-lines.ts'

const readerOf = (request: FastifyRequest) => wholeView(actorOf(request))

/** The file of a form and the mapping that may stand before it. */
async function uploaded(request: FastifyRequest) {
  const part = request.isMultipart()
    ? await request.file({ limits: { fileSize: mostStatementBytes, files: 1 } })
    : undefined
  const given = part?.fields.mapping
  const text = given && !Array.isArray(given) && given.type === 'field' ? String(given.value) : ''
  if (!text) return { part, mapping: null }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw invalid({ mapping: 'invalid_input' })
  }
  const mapping = statementMapping.safeParse(json)
  if (!mapping.success) throw invalid({ mapping: 'invalid_input' })
  return { part, mapping: mapping.data }
}

/** Reading a whole file is work. */
const notTooOften = {
  rateLimit: {
    max: 120,
    timeWindow: '1 minute',
    keyOf: (request: FastifyRequest) => request.actor?.accountId ?? '',
  },
}

/** What the university's banks say, and whether the books agree with it. */
export const reconciliationRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    serve(app, calls.listBankAccounts, async (request) => {
      readerOf(request)
      return { data: await listBankAccounts(services) }
    })
    serve(app, calls.createBankAccount, async (request) => ({
      data: await createBankAccount(services, readerOf(request), request.body),
    }))
    serve(app, calls.updateBankAccount, async (request) => ({
      data: await updateBankAccount(services, readerOf(request), request.params.id, request.body),
    }))
    serve(app, calls.saveMapping, async (request) => ({
      data: await saveMapping(services, readerOf(request), request.params.id, request.body),
    }))

    serve(
      app,
      calls.previewStatement,
      async (request) => {
        readerOf(request)
        const { part, mapping } = await uploaded(request)
        const file = await statementFile(part)
        return { data: await previewStatement(services, request.params.id, file, mapping, languageOfRequest(request)) }
      },
      notTooOften,
    )
    serve(
      app,
      calls.importStatement,
      async (request) => {
        const actor = readerOf(request)
        const { part } = await uploaded(request)
        return { data: await importStatement(services, actor, request.params.id, await statementFile(part)) }
      },
      notTooOften,
    )
    serve(app, calls.listStatements, (request) => listStatements(services, readerOf(request), request.query))

    serve(app, calls.listStatementLines, (request) => {
      readerOf(request)
      return listStatementLines(services, request.query)
    })
    serve(app, calls.findCandidates, async (request) => {
      readerOf(request)
      return { data: await findCandidates(services, request.params.id, request.query.q) }
    })
    serve(app, calls.matchLine, async (request) => ({
      data: await matchLine(services, readerOf(request), request.params.id, request.body),
    }))
    serve(app, calls.recordLine, async (request) => ({
      data: await askRecordLine(services, readerOf(request), request.params.id, request.body),
    }))
    serve(app, calls.explainLine, async (request) => ({
      data: await explainLine(services, readerOf(request), request.params.id, request.body),
    }))
    serve(app, calls.reopenLine, async (request) => ({
      data: await reopenLine(services, readerOf(request), request.params.id, request.body.reason),
    }))

    serve(app, calls.listDays, (request) => {
      readerOf(request)
      return listDays(services, request.query)
    })
    serve(app, calls.readDay, async (request) => {
      readerOf(request)
      return { data: await readDay(services, request.params.id) }
    })
    serve(app, calls.computeDay, async (request) => {
      const { bankAccountId, day } = request.body
      return { data: await compareDay(services, readerOf(request), bankAccountId, day) }
    })
    serve(app, calls.listDifferences, (request) => {
      readerOf(request)
      return listDifferences(services, request.query)
    })
    serve(app, calls.settleDifference, async (request) => ({
      data: await settleDifference(services, readerOf(request), request.params.id, request.body.reason),
    }))

    for (const [declared, name] of [
      [calls.exportDays, 'days'],
      [calls.exportDifferences, 'differences'],
      [calls.exportStatementLines, 'lines'],
    ] as const)
      serve(
        app,
        declared,
        (request, reply) => {
          readerOf(request)
          return exportReconciliation(services, name, request, reply)
        },
        { raw: true },
      )
  }
