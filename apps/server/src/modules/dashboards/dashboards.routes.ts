import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { cardKeys, cardOf, cardsFor } from '#domain/dashboards/cards.ts'
import { type CardContent, cardCalls, listCards } from '#domain/dashboards/endpoints.ts'
import { type Actor, actorOf } from '#server/platform/access/authorization.ts'
import { isApplicant, seesAll } from '#server/platform/access/row-scope.ts'
import { requireWholeView } from '#server/platform/database/shared-rows.ts'
import { notFound } from '#server/platform/errors.ts'
import { serve } from '#server/platform/http/serve.ts'
import { answerOnce, reachOf, settleAnswers } from '#server/platform/kept-answers.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { cardReadings } from './cards.ts'
import { isAffiliate } from './readings/outreach-cards.ts'

const nothing = { figures: [], days: [], curves: [], columns: [], lines: [], more: 0, notes: [], to: null }

export const dashboardRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const { db } = services
    app.addHook('onClose', () => settleAnswers(db))

    serve(app, listCards, async (request) => ({ data: await cardsOf(services, actorOf(request)) }))

    for (const key of cardKeys)
      serve(app, cardCalls[key], async (request) => {
        const actor = actorOf(request)
        if (isApplicant(actor)) throw notFound('card')
        if (cardOf(key).whole) requireWholeView(actor, 'settings_need_whole_view')
        if (key === 'referred' && !(await isAffiliate(db, actor))) throw notFound('card')
        const { answer, computedAt, isOld, newerSoon } = await answerOnce(services, {
          name: key,
          // The card `referred` depends on the reader's own account, so its answer is stored for this account only.
          reach: [reachOf(actor), key === 'referred' ? [actor.accountId, actor.email, actor.emailVerified] : null],
          async compute(at) {
            // Loads the settings, whose time zone the card's days and deadlines use.
            await getSettings(db)
            return {
              ...nothing,
              ...(await cardReadings[key]({ services, actor: { ...actor, at }, at })),
            } as CardContent
          },
        })
        return { data: answer, meta: { asOf: computedAt.toISOString(), isOld, newerSoon } }
      })
  }

async function cardsOf({ db }: Services, actor: Actor) {
  if (isApplicant(actor)) return []
  const open = cardsFor(actor.permissions).filter((key) => seesAll(actor) || !cardOf(key).whole)
  return open.includes('referred') && !(await isAffiliate(db, actor)) ? open.filter((key) => key !== 'referred') : open
}
