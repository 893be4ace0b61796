import fs from 'node:fs'
import path from 'node:path'
import helmet from '@fastify/helmet'
import fastifyStatic from '@fastify/static'
import type { FastifyPluginAsync } from 'fastify'
import type { Branding } from '#domain/settings/endpoints.ts'
import type { Language } from '#entities/define/language.ts'
import { readBranding } from '#server/platform/branding.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { sentences } from '#server/platform/text.ts'
import { type FormPage, isOwnForm, type Refusal, readForm, signInByForm, signUpByForm, withForm } from './first-page.ts'
import { escapeHtml } from './html.ts'
import { languageOfPage } from './page-language.ts'
import { builtWeb, webBuild } from './web-build.ts'

const notBuilt =
  '<!doctype html><head><title>PMB Online</title></head><p>The web app is not built yet: run <code>npm start</code>.</p>'

/** Preview shown when a link to a page is shared. */
export type LinkCard = { title: string; text: string; path: string; image: string | null }
/** Preview card for a path; undefined for pages without one. */
export type FindLinkCard = (pathname: string) => Promise<LinkCard | undefined>

/** Headers that matter for pages only: up to a kilobyte beside each of the files that a page loads. */
const headersOfPages = [
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'referrer-policy',
  'strict-transport-security',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-request-id',
  'x-web-build',
  'x-xss-protection',
]

/** Tags that messengers and social networks read without running scripts. */
export function cardTags({ title, text, path, image }: LinkCard, publicUrl: string): string {
  const tags = [
    ['og:type', 'website'],
    ['og:title', title],
    ['og:description', text],
    ['og:url', publicUrl + path],
    ...(image ? [['og:image', publicUrl + image] as const] : []),
    ['twitter:card', 'summary'],
  ] as const
  const meta = tags.map(([name, content]) => `<meta property="${name}" content="${escapeHtml(content)}" />`)
  return `${meta.join('')}<meta name="description" content="${escapeHtml(text)}" />`
}

/**
 * Serves the built web app: files below /app/, the page for every screen. The policy allows scripts only from our
 * files.
 */
export const webPages =
  ({ config, db, log }: Services, cardFinders: readonly FindLinkCard[]): FastifyPluginAsync =>
  async (app) => {
    app.decorate('accessOfPlugins', 'public')
    // Pages need scripts and styles, so helmet's policy replaces that of API answers.
    app.addHook('onRequest', (_request, reply, done) => {
      reply.removeHeader('content-security-policy')
      done()
    })
    const https = config.publicUrl.startsWith('https:')
    await app.register(helmet, {
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'self'"],
          scriptSrc: ["'self'"],
          // The component library writes its colour variables into a style element.
          styleSrc: ["'self'", "'unsafe-inline'"],
          imgSrc: ["'self'", 'data:', 'blob:'],
          fontSrc: ["'self'"],
          connectSrc: ["'self'"],
          frameSrc: ["'self'", 'blob:'],
          workerSrc: ["'self'", 'blob:'],
          objectSrc: ["'none'"],
          baseUri: ["'self'"],
          formAction: ["'self'"],
          frameAncestors: ["'none'"],
          ...(https && { upgradeInsecureRequests: [] }),
        },
      },
      // Every answer has it already.
      hsts: false,
      referrerPolicy: { policy: 'same-origin' },
      crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    })
    // Plugins are loaded while a first start still builds the files.
    fs.mkdirSync(builtWeb, { recursive: true })
    await app.register(fastifyStatic, {
      root: builtWeb,
      prefix: '/app/',
      index: false,
      cacheControl: false,
      // The build stores a `.br` beside each file: smaller than what can be compressed while a reader waits.
      preCompressed: true,
      setHeaders: (reply, file) => {
        const isAsset = file.includes(`${path.sep}assets${path.sep}`)
        reply.header('cache-control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache')
        if (!isAsset) return
        for (const name of headersOfPages) reply.removeHeader(name)
        // Only workers have a policy of their own; pages ignore that of their files.
        reply.header('content-security-policy', "default-src 'self'")
      },
    })
    const builtPage = (name: 'page' | 'surveyPage') => {
      const { [name]: html = notBuilt, id } = webBuild()
      return html.replace('</head>', `<meta name="build" content="${id}" /></head>`)
    }
    const publicPage = { config: { access: 'public' }, schema: { hide: true } }
    /** The page with the university's name, logo and colours, so that they appear at first paint. */
    const branded = async (html: string, draw = (page: string, _branding: Branding) => page) => {
      try {
        const branding = await readBranding({ db, config })
        const meta = `<meta name="branding" content="${escapeHtml(JSON.stringify(branding))}" /></head>`
        return draw(html, branding).replace('</head>', () => meta)
      } catch (error) {
        log.warn({ err: error }, 'the page is served without branding')
        return html
      }
    }
    /** The page with its form, after a refusal with its sentence. Without registration, sign-up has none. */
    const formPage = async (name: FormPage, language: Language, refusal?: Refusal) => {
      const privacy = await getSettings(db).catch(() => undefined)
      return branded(builtPage('page'), (html, branding) => {
        if (!privacy || (name === 'sign-up' && !branding.registrationOpen)) return html
        const hasGoogle = config.google !== undefined
        return withForm(html, webBuild().firstPages, { name, branding, language, hasGoogle, privacy, refusal })
      })
    }
    const withCard = async (pathname: string, html: string) => {
      try {
        for (const findCard of cardFinders) {
          const card = await findCard(pathname)
          if (card) return html.replace('</head>', () => `${cardTags(card, config.publicUrl)}</head>`)
        }
        return html
      } catch (error) {
        log.warn({ err: error, pathname }, 'the page is served without its card')
        return html
      }
    }
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 10_000 },
      (_request, body, done) => done(null, readForm(body as string)),
    )
    const formOptions = { config: { access: 'public', secretAnswer: true }, schema: { hide: true } }
    const sendByForm = { 'sign-in': signInByForm, 'sign-up': signUpByForm }
    for (const name of ['sign-in', 'sign-up'] as const)
      app.post(`/${name}`, formOptions, async (request, reply) => {
        const { language } = languageOfPage(request, 'en')
        reply.header('cache-control', 'no-store').type('text/html; charset=utf-8')
        const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
        const outcome: { token: string } | Refusal = isOwnForm(request, config.publicUrl)
          ? await sendByForm[name](app, request, form, language)
          : { status: 403, typed: {}, failure: sentences(language)('accounts:signIn.otherSite'), asksCode: false }
        if ('status' in outcome) {
          if (outcome.retryAfter !== undefined) reply.header('retry-after', outcome.retryAfter)
          return reply.code(outcome.status).send(await formPage(name, language, outcome))
        }
        // `first-paint.js` stores the token and deletes the element.
        return branded(
          builtPage('page').replace(
            '<script',
            () => `<meta name="signed-in" content="${outcome.token}" />\n    <script`,
          ),
        )
      })
    /** Sign-up behind the link of an affiliate or a lead needs the app, which keeps what the address says. */
    const formPageAt = (pathname: string, query: object): FormPage | undefined => {
      if (pathname === '/sign-in') return 'sign-in'
      if (pathname !== '/sign-up') return undefined
      return ['ref', 'voucher', 'lead', 'next'].some((name) => name in query) ? undefined : 'sign-up'
    }
    app.get('/*', publicPage, async (request, reply) => {
      // `new URL` would read `//name` as a host and refuse `//`.
      const pathname = request.url.replace(/[?#].*/s, '')
      if (pathname === '/api' || pathname.startsWith('/api/')) return reply.callNotFound()
      const lastPart = pathname.slice(pathname.lastIndexOf('/') + 1)
      if (/\.[a-z0-9]{2,5}$/i.test(lastPart)) {
        if (!webBuild().page || pathname !== `/${lastPart}` || !fs.existsSync(path.join(builtWeb, lastPart)))
          return reply.callNotFound()
        // A kept page could outlive a mistake in it: the switch takes the pages back from all devices.
        return reply.sendFile(lastPart === 'sw.js' && !config.keepsShell ? 'no-sw.js' : lastPart)
      }
      const form = formPageAt(pathname, request.query as object)
      if (form)
        return reply
          .headers({ 'cache-control': 'no-cache', vary: 'accept-language' })
          .type('text/html; charset=utf-8')
          .send(await withCard(pathname, await formPage(form, languageOfPage(request, 'en').language)))
      // Otherwise the Referer of later requests would put the secret into a reverse proxy's log.
      if (pathname.startsWith('/setup/')) reply.header('referrer-policy', 'no-referrer')
      return reply
        .header('cache-control', 'no-cache')
        .type('text/html; charset=utf-8')
        .send(
          await withCard(pathname, await branded(builtPage(pathname.startsWith('/survei/') ? 'surveyPage' : 'page'))),
        )
    })
  }
