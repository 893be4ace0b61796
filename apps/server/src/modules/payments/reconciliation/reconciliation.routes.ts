import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/payments/reconciliation/endpoints.ts'
import { type StatementMapping, statementMapping } from '#domain/payments/reconciliation/statement-mapping.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { requireWholeView } from '#server/platform/database/shared-rows.ts'
import { invalid } from '#server/platform/errors.ts'
import { type ReceivedUpload, receiveUpload } from '#server/platform/files/uploads.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { getAccount } from './account-queue.ts'
import { createBankAccount, listBankAccounts, saveMapping, updateBankAccount } from './bank-accounts.ts'
import { compareDay } from './compare-days.ts'
import { findLineBills } from './lines/line-bills.ts'
import { askRecordLine } from './lines/record-line.ts'
import { releaseLine, releaseLines } from './lines/release-lines.ts'
import { explainLine, findCandidates, matchLine, reopenLine } from './lines/settle-lines.ts'
import { readDay, serveReconciliationLists } from './reconciliation-lists.ts'
import { settleDifference } from './settle-difference.ts'
import { importStatement, previewStatement } from './statements/import-statement.ts'
import { serveStatements } from './statements/list-statements.ts'
import { statementFile, statementLimits } from './statements/statement-file.ts'

/** Statement lines belong to no study programme, so roles limited to programmes read none. */
const readerOf = (request: FastifyRequest) => requireWholeView(actorOf(request), 'statements_need_whole_view')

/** The mapping that a form may send before the file, to try it. */
function triedMapping(upload: ReceivedUpload | undefined): StatementMapping | null {
  const text = upload?.field('mapping')
  if (!text) return null
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw invalid({ mapping: 'invalid_input' })
  }
  const mapping = statementMapping.safeParse(json)
  if (!mapping.success) throw invalid({ mapping: 'invalid_input' })
  return mapping.data
}

/** Limited because reading a whole file is expensive. */
const notTooOften = {
  rateLimit: {
    max: 120,
    timeWindow: '1 minute',
    keyOf: (request: FastifyRequest) => request.actor?.accountId ?? '',
  },
}

/** Statements of the university's banks and their comparison with the books. */
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
        const { id } = request.params
        await getAccount(services, services.db, id)
        const { file, mapping } = await receiveUpload(services, request, statementLimits, async (upload) => ({
          mapping: triedMapping(upload),
          file: await statementFile(upload),
        }))
        return { data: await previewStatement(services, id, file, mapping, languageOfRequest(request)) }
      },
      notTooOften,
    )
    serve(
      app,
      calls.importStatement,
      async (request) => {
        const actor = readerOf(request)
        const { id } = request.params
        await getAccount(services, services.db, id)
        const file = await receiveUpload(services, request, statementLimits, statementFile)
        return { data: await importStatement(services, actor, id, file) }
      },
      notTooOften,
    )
    serveStatements(app, services)

    serveReconciliationLists(app, services)
    serve(app, calls.findLineBills, async (request) => {
      readerOf(request)
      return { data: await findLineBills(services, request.params.id) }
    })
    serve(app, calls.findCandidates, async (request) => {
      readerOf(request)
      return { data: await findCandidates(services, actorOf(request), request.params.id, request.query.q) }
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
    serve(app, calls.releaseLine, async (request) => ({
      data: await releaseLine(services, readerOf(request), request.params.id, request.body),
    }))
    serve(app, calls.releaseLines, async (request) => ({
      data: await releaseLines(services, readerOf(request), request.params.id, request.body),
    }))
    serve(app, calls.reopenLine, async (request) => ({
      data: await reopenLine(services, readerOf(request), request.params.id, request.body.reason),
    }))

    serve(app, calls.readDay, async (request) => {
      readerOf(request)
      return { data: await readDay(services, request.params.id) }
    })
    serve(app, calls.computeDay, async (request) => {
      const { bankAccountId, day } = request.body
      return { data: await compareDay(services, readerOf(request), bankAccountId, day) }
    })
    serve(app, calls.settleDifference, async (request) => ({
      data: await settleDifference(services, readerOf(request), request.params.id, request.body.reason),
    }))
  }
