import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/accounts/staff-endpoints.ts'
import { startSeeingAs } from '#server/modules/accounts/see-as.ts'
import { deviceOf } from '#server/modules/accounts/signed-in.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { getAccountDetail } from './account-detail.ts'
import { readAccountHistory } from './account-history.ts'
import { previewBulk, runBulk } from './bulk-accounts.ts'
import { changeAccess } from './change-access.ts'
import {
  endSessionOf,
  endSessions,
  listSessionsOf,
  resetTotp,
  sendPasswordReset,
  setActive,
  unlockAccount,
  updateAccount,
} from './change-account.ts'
import { serveAccounts } from './find-accounts.ts'
import { inviteAccount, resendInvitation, withdrawInvitation } from './invite-account.ts'
import { listRoleChoices } from './role-choices.ts'

/** Routes of /settings/accounts: accounts of staff and applicants. */
export const staffAccountRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const { db, clock } = services
    /** The response body: the account after the change. */
    const answerDetail = async (request: FastifyRequest, id: string) => ({
      data: await getAccountDetail(db, actorOf(request), id, languageOfRequest(request), clock.now()),
    })

    serveAccounts(app, services)
    serve(app, calls.listRoleChoices, async (request) => ({
      data: await listRoleChoices(db, actorOf(request), languageOfRequest(request)),
    }))
    serve(app, calls.readAccount, (request) => answerDetail(request, request.params.id))

    serve(
      app,
      calls.inviteAccount,
      async (request) => answerDetail(request, await inviteAccount(services, actorOf(request), request.body)),
      { status: 201, rateLimit: { max: 60, timeWindow: '1 minute', keyOf: (request) => actorOf(request).accountId } },
    )
    serve(app, calls.resendInvitation, async (request) => {
      await resendInvitation(services, actorOf(request), request.params.id)
      return answerDetail(request, request.params.id)
    })
    serve(app, calls.withdrawInvitation, async (request) => ({
      data: await withdrawInvitation(services, actorOf(request), request.params.id),
    }))

    serve(app, calls.updateAccount, async (request) => {
      await updateAccount(services, actorOf(request), request.params.id, request.body)
      return answerDetail(request, request.params.id)
    })
    for (const [endpoint, active] of [
      [calls.deactivateAccount, false],
      [calls.reactivateAccount, true],
    ] as const)
      serve(app, endpoint, async (request) => {
        const { id } = request.params
        await changeAccess(services, actorOf(request), endpoint.access, (context) => setActive(context, id, active))
        return answerDetail(request, id)
      })
    serve(app, calls.sendPasswordReset, async (request) => {
      await sendPasswordReset(services, actorOf(request), request.params.id)
      return answerDetail(request, request.params.id)
    })
    serve(app, calls.unlockAccount, async (request) => {
      await unlockAccount(services, actorOf(request), request.params.id)
      return answerDetail(request, request.params.id)
    })
    serve(app, calls.resetTotp, async (request) => {
      await resetTotp(services, actorOf(request), request.params.id, request.body.reason)
      return answerDetail(request, request.params.id)
    })

    serve(
      app,
      calls.listSessionsOfAccount,
      async (request) => ({ data: await listSessionsOf(db, actorOf(request), request.params.id, clock.now()) }),
      { config: { seenAs: 'private' } },
    )
    serve(app, calls.endSessionsOfAccount, async (request) => ({
      data: await changeAccess(services, actorOf(request), calls.endSessionsOfAccount.access, (context) =>
        endSessions(context, request.params.id),
      ),
    }))
    serve(app, calls.endSessionOfAccount, async (request) => ({
      data: await endSessionOf(services, actorOf(request), request.params.id, request.params.sessionId),
    }))

    serve(app, calls.accountHistory, (request) =>
      readAccountHistory(db, actorOf(request), request.params.id, request.query.before),
    )

    serve(app, calls.previewAccountsBulk, async (request) => {
      const { action, ids } = request.body
      return { data: await previewBulk(db, actorOf(request), action, ids, languageOfRequest(request)) }
    })
    serve(app, calls.runAccountsBulk, async (request) => {
      const { action, ids } = request.body
      return { data: await runBulk(services, actorOf(request), action, ids, languageOfRequest(request)) }
    })

    serve(
      app,
      calls.seeAs,
      (request) => startSeeingAs(services, actorOf(request), request.params.id, deviceOf(request)),
      { config: { secretAnswer: true } },
    )
  }
