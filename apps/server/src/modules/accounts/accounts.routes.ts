import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/accounts/endpoints.ts'
import { endSeeAs } from '#domain/accounts/entrance-endpoints.ts'
import { universityCalendar } from '#domain/calendar.ts'
import { bearerToken } from '#server/platform/access/authentication.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { unauthenticated } from '#server/platform/errors.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { languageOf, sentences } from '#server/platform/text.ts'
import { getAccount, updatePreferences } from './account.ts'
import { exportAccount } from './export-account.ts'
import { googleRoutes } from './google/google.routes.ts'
import { invitationRoutes } from './invitation/invitation.routes.ts'
import { changePassword, requestReset, requirePassword, resetPassword } from './passwords.ts'
import { registerAccount } from './register-account.ts'
import { leaveSeenAs } from './see-as.ts'
import { endOtherSessions, endSession, listSessions } from './sessions.ts'
import { setupRoutes } from './setup/setup.routes.ts'
import { signIn } from './sign-in.ts'
import { deviceOf, findAccountWithRole, toSignedIn } from './signed-in.ts'
import { findStudyIntent, saveStudyIntent } from './study-intent.ts'
import { totpRoutes } from './totp/totp.routes.ts'
import { getVerification, requestNewEmail, resendVerification, verifyEmail } from './verify-email.ts'

type Headers = { headers: { 'accept-language'?: string | undefined } }
const languageOfRequest = ({ headers }: Headers) => languageOf(headers['accept-language'])
const perMinute = (max: number) => ({ max, timeWindow: '1 minute' })
const perMinuteOfAccount = (max: number) => ({
  ...perMinute(max),
  keyOf: (request: FastifyRequest) => actorOf(request).accountId,
})
/** Limits sign-ups per address; a school's computer room shares one address. */
const perTenMinutes = (max: number) => ({ max, timeWindow: '10 minutes' })

export const accountRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const { db, clock } = services

    serve(
      app,
      calls.login,
      (request) => signIn(services, request.body, deviceOf(request), languageOfRequest(request)),
      { rateLimit: perMinute(120), config: { secretAnswer: true } },
    )

    serve(
      app,
      calls.register,
      (request) => registerAccount(services, request.body, deviceOf(request), languageOfRequest(request)),
      { rateLimit: perTenMinutes(100), config: { secretAnswer: true } },
    )

    serve(
      app,
      calls.verifyToken,
      async (request) => {
        const token = request.body.api_token || bearerToken(request) || ''
        const session = token.length <= 200 ? await services.sessions.find(token) : null
        const row = session && (await findAccountWithRole(db, session.actor.accountId))
        if (!row) throw unauthenticated()
        return toSignedIn(row, token, session.expiresAt, session.actor.seenBy?.name)
      },
      { config: { seenAs: 'read', secretAnswer: true } },
    )

    serve(
      app,
      calls.logout,
      async (request) => {
        const actor = actorOf(request)
        // Signing out while seeing as another account ends the actor's own session too.
        await (actor.seenBy ? leaveSeenAs(services, actor, true) : endSession(services, actor, actor.sessionId))
        return { data: { message: sentences(languageOfRequest(request))('accounts:answers.signedOut') } }
      },
      { config: { seenAs: 'read', beforeTotp: true } },
    )

    serve(
      app,
      calls.forgotPassword,
      async (request) => {
        // Not awaited: the response time would reveal whether the address is known.
        requestReset(services, request.body.email, deviceOf(request)).catch((error) => request.log.error(error))
        return { data: { message: sentences(languageOfRequest(request))('accounts:answers.resetSent') } }
      },
      { rateLimit: perTenMinutes(60) },
    )

    serve(
      app,
      calls.resetPassword,
      async (request) => {
        await resetPassword(services, request.body, deviceOf(request))
        return { data: { message: sentences(languageOfRequest(request))('accounts:answers.passwordReset') } }
      },
      { rateLimit: perTenMinutes(60) },
    )

    serve(
      app,
      calls.verifyEmail,
      async (request) => ({ data: await verifyEmail(services, request.body.token, deviceOf(request)) }),
      { rateLimit: perTenMinutes(200) },
    )

    serve(app, calls.emailVerification, async (request) => ({
      data: await getVerification(db, actorOf(request), clock.now()),
    }))

    serve(app, calls.resendVerification, async (request) => ({
      data: await resendVerification(services, actorOf(request)),
    }))

    serve(app, calls.authOptions, async () => {
      const { consentVersion, privacyNotice, universityName } = await getSettings(db)
      return { data: { google: services.config.google !== undefined, consentVersion, privacyNotice, universityName } }
    })

    await app.register(googleRoutes(services))
    await app.register(totpRoutes(services))
    await app.register(invitationRoutes(services))
    await app.register(setupRoutes(services))

    serve(app, endSeeAs, async (request) => ({ data: await leaveSeenAs(services, actorOf(request)) }), {
      config: { seenAs: 'read', beforeTotp: true },
    })

    serve(app, calls.getAccount, async (request) => ({ data: await getAccount(db, actorOf(request), clock.now()) }))

    serve(app, calls.updatePreferences, async (request) => ({
      data: await updatePreferences(services, actorOf(request), request.body),
    }))

    serve(
      app,
      calls.changePassword,
      async (request) => ({
        data: await changePassword(services, actorOf(request), request.body, languageOfRequest(request)),
      }),
      { rateLimit: perMinuteOfAccount(30) },
    )

    serve(
      app,
      calls.changeEmail,
      async (request) => {
        const actor = actorOf(request)
        const email = request.body.email.trim()
        if (actor.emailVerified)
          await requirePassword(services, actor, 'password', request.body.password, languageOfRequest(request))
        return { data: await requestNewEmail(services, actor, email) }
      },
      { rateLimit: perMinuteOfAccount(30) },
    )

    serve(
      app,
      calls.listSessions,
      async (request) => ({ data: await listSessions(db, actorOf(request), clock.now()) }),
      { config: { seenAs: 'private' } },
    )

    serve(app, calls.endSession, async (request) => ({
      data: await endSession(services, actorOf(request), request.params.id),
    }))

    serve(app, calls.endOtherSessions, async (request) => ({
      data: await endOtherSessions(services, actorOf(request)),
    }))

    serve(
      app,
      calls.exportAccount,
      async (request, reply) => {
        const day = universityCalendar().dayOf(clock.now())
        reply
          .header('content-disposition', `attachment; filename="pmb-data-${day}.json"`)
          .header('cache-control', 'no-store')
        return exportAccount(services, actorOf(request))
      },
      { rateLimit: perMinuteOfAccount(10), config: { seenAs: 'private' } },
    )

    serve(app, calls.getStudyIntent, async (request) => ({
      data: (await findStudyIntent(db, actorOf(request).accountId)) ?? null,
    }))

    serve(app, calls.saveStudyIntent, async (request) => ({
      data: await saveStudyIntent(services, actorOf(request), request.body),
    }))
  }
