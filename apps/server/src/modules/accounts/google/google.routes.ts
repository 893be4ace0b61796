import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { AuthorizationResponseError } from 'openid-client'
import { googleCallback, googleExchange, googleStart } from '#domain/accounts/endpoints.ts'
import { deviceOf } from '#server/modules/accounts/signed-in.ts'
import { AppError } from '#server/platform/errors.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { languageOf } from '#server/platform/text.ts'
import {
  acceptGooglePerson,
  exchangeGoogleCode,
  flowMinutes,
  googleClient,
  openFlow,
  readGoogleAnswer,
  sealFlow,
  startGoogle,
} from './google.ts'

const cookieName = 'pmb_google'

/** Sign-in with Google, or with the OpenID provider in the settings. The browser only ever receives a one-time code. */
export const googleRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const { config, clock, log } = services
    const client = googleClient(services)
    const secure = config.publicUrl.startsWith('https:') ? '; Secure' : ''
    const setCookie = (reply: FastifyReply, value: string, seconds: number) =>
      reply.header(
        'set-cookie',
        `${cookieName}=${value}; Path=/api/auth/google; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`,
      )
    const flowOf = (request: FastifyRequest) =>
      openFlow(
        config.secretKey,
        new RegExp(`(?:^|;\\s*)${cookieName}=([\\w-]+)`).exec(request.headers.cookie ?? '')?.[1],
        clock.now(),
      )
    /**
     * Redirects with the result behind the #: browsers do not send that part to servers, so logs and referrers never
     * contain the code.
     */
    const redirectWith = (reply: FastifyReply, result: Record<string, string>) =>
      reply.header('cache-control', 'no-store').redirect(`/sign-in-google#${new URLSearchParams(result)}`)

    serve(
      app,
      googleStart,
      async (request, reply) => {
        const { query } = request
        try {
          const language = query.language ?? languageOf(request.headers['accept-language'])
          const { url, flow } = await startGoogle(services, client, language, query.ref, query.device)
          setCookie(reply, sealFlow(config.secretKey, flow), flowMinutes * 60)
          return reply.header('cache-control', 'no-store').redirect(url)
        } catch (error) {
          return redirectWith(reply, { error: codeOf(error) })
        }
      },
      { raw: true, rateLimit: { max: 60, timeWindow: '10 minutes' } },
    )

    serve(
      app,
      googleCallback,
      async (request, reply) => {
        const flow = flowOf(request)
        if (!flow) return redirectWith(reply, { error: 'link_invalid' })
        try {
          const query = request.url.slice(request.url.indexOf('?'))
          const person = await readGoogleAnswer(services, await client(), query, flow)
          const code = await acceptGooglePerson(services, person, flow, deviceOf(request))
          return redirectWith(reply, { code })
        } catch (error) {
          setCookie(reply, '', 0)
          return redirectWith(reply, { error: codeOf(error) })
        }
      },
      { raw: true, rateLimit: { max: 60, timeWindow: '10 minutes' } },
    )

    serve(
      app,
      googleExchange,
      async (request, reply) => {
        const answer = await exchangeGoogleCode(services, request.body, flowOf(request), deviceOf(request))
        setCookie(reply, '', 0)
        return answer
      },
      { rateLimit: { max: 60, timeWindow: '10 minutes' }, config: { secretAnswer: true } },
    )

    function codeOf(error: unknown): string {
      if (error instanceof AppError) return error.code
      if (error instanceof AuthorizationResponseError && error.error === 'access_denied') return 'google_cancelled'
      log.warn({ err: error }, 'sign-in with Google failed')
      return 'google_failed'
    }
  }
