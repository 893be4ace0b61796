import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { answerError } from '#server/platform/http/error-handler.ts'
import { asAppError } from '#server/platform/http/failures.ts'
import { html } from '#server/platform/http/html.ts'
import { limitCalls } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { intakePage } from './intake-page.ts'
import { addressesOf, documentOf, type PublicPage } from './layout.ts'
import { programmePage } from './programme-page.ts'
import { keepProspectus, type Prospectus } from './read-prospectus.ts'
import { type Reader, readerOf } from './reader.ts'
import { programmePath } from './structured-data.ts'
import { styleSheet } from './style.ts'

/** Longest code of master data. */
const longestCode = 60
/** Discounts that an address may name. */
const mostDiscounts = 20

type Search = Record<string, string | string[] | undefined>

/** One value of a query that anybody may write. */
const oneOf = (value: string | string[] | undefined) => {
  const text = Array.isArray(value) ? value.at(-1) : value
  return text && text.length <= longestCode ? text : undefined
}
const allOf = (value: string | string[] | undefined) =>
  (Array.isArray(value) ? value : value ? [value] : [])
    .filter((text) => text.length <= longestCode)
    .slice(0, mostDiscounts)

/** Pages before an account: HTML from the server, which sets no cookie and needs no script. */
export const prospectusPages =
  (services: Services): FastifyPluginAsync =>
  async (app) => {
    const { publicUrl } = services.config
    const prospectusNow = keepProspectus(services)
    const publicPage = { config: { access: 'public' }, schema: { hide: true } }

    /** Generous: a whole school may share one address. */
    const limited = () => ({ ...publicPage, preValidation: limitCalls(app, { max: 300, timeWindow: '1 minute' }) })

    const send = (reply: FastifyReply, reader: Reader, prospectus: Prospectus, page: PublicPage, status = 200) =>
      reply
        .code(status)
        .headers({
          'cache-control': status === 200 || status === 404 ? 'public, max-age=15' : 'no-store',
          vary: 'accept-language',
          'content-language': reader.language,
          'content-security-policy': policyFor(styleSheet(prospectus.university.colour).hash),
        })
        .type('text/html; charset=utf-8')
        .send(documentOf(reader, prospectus, publicUrl, page))

    app.setErrorHandler(async (error, request, reply) => {
      const isPage = request.url.startsWith('/daftar')
      const prospectus = isPage ? await prospectusNow().catch(() => undefined) : undefined
      if (!prospectus) return answerError(error, request, reply)
      const failed = asAppError(error)
      const { status, code, details } = failed
      if (status >= 500) request.log.error({ err: error }, 'a public page failed')
      if (details.retryAfter !== undefined) reply.header('retry-after', String(details.retryAfter))
      const reader = readerOf(request)
      const sentence = reader.t(`errors:${code}`, { request: request.id, ...details })
      return send(reply, reader, prospectus, failurePage(reader, sentence), status)
    })

    app.get('/daftar', limited(), async (request, reply) => {
      const [reader, prospectus] = [readerOf(request), await prospectusNow()]
      const { wave } = request.query as Search
      return send(reply, reader, prospectus, intakePage(reader, prospectus, publicUrl, { wave: oneOf(wave) }))
    })

    app.get('/daftar/prodi/:code', limited(), async (request, reply) => {
      const [reader, prospectus] = [readerOf(request), await prospectusNow()]
      const code = (request.params as { code: string }).code.toLowerCase()
      const programme = prospectus.programmes.find((one) => one.code.toLowerCase() === code)
      if (!programme) return send(reply, reader, prospectus, missingPage(reader), 404)
      const { wave, entry, class: classCode, track, discount } = request.query as Search
      const choice = {
        wave: oneOf(wave),
        entry: oneOf(entry),
        class: oneOf(classCode),
        track: oneOf(track),
        discount: allOf(discount),
      }
      return send(reply, reader, prospectus, programmePage(reader, prospectus, publicUrl, programme, choice))
    })

    app.get('/sitemap.xml', publicPage, async (_request, reply) => {
      const { programmes } = await prospectusNow()
      const urls = ['/daftar', ...programmes.map(programmePath)].map((path) => addressesOf(publicUrl, path))
      const entry = (address: string, { id, en }: { id: string; en: string }) => html`<url><loc>${address}</loc>
<xhtml:link rel="alternate" hreflang="id" href="${id}"/><xhtml:link rel="alternate" hreflang="en" href="${en}"/></url>
`
      return reply
        .header('cache-control', 'public, max-age=3600')
        .type('application/xml; charset=utf-8')
        .send(
          html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${urls.flatMap((both) => [entry(both.id, both), entry(both.en, both)])}</urlset>
`.markup,
        )
    })

    app.get('/robots.txt', publicPage, async (_request, reply) =>
      reply
        .header('cache-control', 'public, max-age=3600')
        .type('text/plain; charset=utf-8')
        .send(`User-agent: *\nDisallow: /api/\nAllow: /api/branding/\nSitemap: ${publicUrl}/sitemap.xml\n`),
    )
  }

/** Says why there is no page now; the address stays, so a reload asks again. */
const failurePage = (reader: Reader, sentence: string): PublicPage => ({
  path: '/daftar',
  query: {},
  title: reader.t('prospectus:failed'),
  description: sentence,
  noIndex: true,
  body: html`<div class="card"><h1>${reader.t('prospectus:failed')}</h1><p role="alert">${sentence}</p></div>`,
})

const missingPage = (reader: Reader): PublicPage => ({
  path: '/daftar',
  query: {},
  title: reader.t('prospectus:notFound'),
  description: reader.t('prospectus:notFoundHelp'),
  noIndex: true,
  body: html`<div class="card"><h1>${reader.t('prospectus:notFound')}</h1><p>${reader.t('prospectus:notFoundHelp')}</p>
<p><a class="button" href="${reader.to('/daftar')}">${reader.t('prospectus:allProgrammes')}</a></p></div>`,
})

/** Allows the page's own style sheet by its hash, and nothing from elsewhere. */
const policyFor = (styleHash: string) =>
  [
    "default-src 'none'",
    `style-src ${styleHash}`,
    "script-src 'self'",
    "connect-src 'self'",
    "img-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
