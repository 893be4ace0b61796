import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Language } from '#entities/define/language.ts'
import { askForReader } from '#server/modules/payments/banks/ask-bank.ts'
import { requestVirtualAccount } from '#server/modules/payments/bills/numbers/request-virtual-account.ts'
import { publicReceiptPdf } from '#server/modules/payments/money/receipts.ts'
import { type Actor, systemActor } from '#server/platform/access/authorization.ts'
import { type AppError, notFound } from '#server/platform/errors.ts'
import { sendPdf } from '#server/platform/files/send-pdf.ts'
import { addressOf } from '#server/platform/http/address.ts'
import { asAppError } from '#server/platform/http/failures.ts'
import { languageOfPage } from '#server/platform/http/page-language.ts'
import { bytesOf, keepBytes } from '#server/platform/http/raw-body.ts'
import { limitCalls } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { sentences } from '#server/platform/text.ts'
import { drawEnd, drawFailure, drawPage, policy, type Surroundings } from './draw-payment-page.ts'
import { holdLink, noteOpened, payPath } from './links.ts'
import {
  endOf,
  findLinkedBill,
  findOpenNumber,
  type LinkedBill,
  readPaymentPage,
  readUniversity,
} from './read-payment-page.ts'

type LinkRequest = FastifyRequest<{ Params: { token: string }; Querystring: { lang?: unknown; asked?: unknown } }>

const isPublic = { access: 'public' }
const hidden = { hide: true }

/** A picture of one transparent pixel. */
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

const languageOfLink = (request: LinkRequest): Language => languageOfPage(request, 'id').language

/** Actor of a payment link, for the audit log. */
const holderOf = (request: LinkRequest): Actor => ({
  ...systemActor,
  name: 'Payment link',
  request: { ip: addressOf(request), id: request.id },
})

/** Codes whose sentence helps the payer; every other failure gets a general one. */
const toldCodes: readonly string[] = ['bank_refused', 'numbers_used_up', 'bank_silent', 'too_many_requests']

/**
 * The page behind a payment link, drawn by the server: it works without script and loads nothing of the app. Nothing
 * here books money; a number is asked for as on the applicant's page.
 */
export const paymentPages =
  (services: Services): FastifyPluginAsync =>
  async (app) => {
    // Forms of a page without script are urlencoded.
    keepBytes(app)
    app.addHook('onRequest', (_request, reply, done) => {
      reply.headers({ 'content-security-policy': policy, 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' })
      done()
    })
    app.setErrorHandler(answerFailure(services))
    const limits = (max: number) => ({
      preValidation: limitCalls(app, {
        max,
        timeWindow: '1 minute',
        keyOf: (request) => (request as LinkRequest).params.token,
      }),
      config: isPublic,
      schema: hidden,
    })
    servePages(app, services, limits)
  }

type Limits = (max: number) => object

function servePages(app: FastifyInstance, services: Services, limits: Limits) {
  const { db, clock } = services
  app.get(`${payPath}/:token`, limits(120), (request, reply) => sendPage(services, request as LinkRequest, reply))

  // Messengers fetch the page for its preview and no pictures, so only people count as visitors.
  app.get(`${payPath}/:token/dibuka.gif`, limits(120), async (request, reply) => {
    const bill = await findLinkedBill(services, (request as LinkRequest).params.token)
    if (bill && !endOf(bill)) await noteOpened(db, bill.linkId, clock.now())
    return reply.type('image/gif').send(pixel)
  })

  app.post(`${payPath}/:token/nomor`, limits(20), async (request, reply) => {
    const bank = new URLSearchParams(bytesOf(request).toString('utf8')).get('bank') ?? ''
    return act(services, request as LinkRequest, reply, async (bill) => {
      const guard = (tx: Parameters<typeof holdLink>[0]) => holdLink(tx, bill.linkId)
      await requestVirtualAccount(services, holderOf(request as LinkRequest), bill.id, {
        bank,
        guard,
        linkId: bill.linkId,
      })
      return undefined
    })
  })

  app.post(`${payPath}/:token/periksa`, limits(20), (request, reply) =>
    act(services, request as LinkRequest, reply, async (bill) => {
      const number = await findOpenNumber(services, bill.id)
      return number && (await askForReader(services, number)) === 0 ? '&asked=none' : undefined
    }),
  )

  app.get(`${payPath}/:token/kuitansi/:paymentId`, limits(20), async (request, reply) => {
    const { paymentId } = request.params as { paymentId: string }
    const bill = await findLinkedBill(services, (request as LinkRequest).params.token)
    if (!bill || endOf(bill)) return sendPage(services, request as LinkRequest, reply)
    if (!z.uuid().safeParse(paymentId).success) throw notFound('receipt')
    const language = languageOfLink(request as LinkRequest)
    const { number, bytes } = await publicReceiptPdf(services, bill.id, paymentId, language)
    return sendPdf(reply, number, bytes)
  })
}

const surroundingsOf = (services: Services, request: LinkRequest, failure: string | null = null): Surroundings => ({
  language: languageOfLink(request),
  path: `${payPath}/${encodeURIComponent(request.params.token)}`,
  publicUrl: services.config.publicUrl,
  askedInVain: request.query?.asked === 'none',
  failure,
})

const statusOfEnd = { broken: 404, taken_back: 410, replaced: 410, expired: 410, cancelled: 410 } as const

const sendHtml = (reply: FastifyReply, status: number, markup: string) =>
  reply.code(status).type('text/html; charset=utf-8').send(markup)

/** The page of a valid link, or the reason why there is none; `failed` is shown above the page. */
async function sendPage(services: Services, request: LinkRequest, reply: FastifyReply, failed?: AppError) {
  const bill = await findLinkedBill(services, request.params.token)
  const language = languageOfLink(request)
  const failure = failed ? sentenceOf(failed, language) : null
  const surroundings = surroundingsOf(services, request, failure)
  const end = endOf(bill)
  if (!bill || end)
    return sendHtml(
      reply,
      statusOfEnd[end ?? 'broken'],
      drawEnd(end ?? 'broken', await readUniversity(services), surroundings),
    )
  const page = await readPaymentPage(services, bill, language)
  return sendHtml(reply, failed?.status ?? 200, drawPage(page, surroundings))
}

/** Carries out a form of a valid link and returns to the page, which a reload then only reads. */
async function act(
  services: Services,
  request: LinkRequest,
  reply: FastifyReply,
  work: (bill: LinkedBill) => Promise<string | undefined>,
) {
  const bill = await findLinkedBill(services, request.params.token)
  if (!bill || endOf(bill)) return sendPage(services, request, reply)
  try {
    await noteOpened(services.db, bill.linkId, services.clock.now())
    const query = await work(bill)
    const { path, language } = surroundingsOf(services, request)
    return reply.redirect(`${path}?lang=${language}${query ?? ''}`, 303)
  } catch (error) {
    const failed = asAppError(error)
    if (failed.status >= 500) request.log.error({ err: error }, 'a payment link failed')
    // The page says what the bill or the link has become.
    if (failed.code === 'link_replaced' || failed.code === 'wrong_status') return sendPage(services, request, reply)
    return sendPage(services, request, reply, failed)
  }
}

const sentenceOf = ({ code, details }: AppError, language: Language) => {
  const t = sentences(language)
  return toldCodes.includes(code) ? t(`errors:${code}`, details) : t('payment-page:failed.text')
}

const answerFailure = (services: Services) => async (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
  const failed = asAppError(error)
  if (failed.status >= 500) request.log.error({ err: error }, 'a payment page failed')
  if (failed.details.retryAfter !== undefined) reply.header('retry-after', String(failed.details.retryAfter))
  const language = languageOfLink(request as LinkRequest)
  return sendHtml(
    reply,
    failed.status,
    drawFailure(sentenceOf(failed, language), surroundingsOf(services, request as LinkRequest)),
  )
}
