import type { FastifyInstance, FastifyRequest } from 'fastify'
import { login } from '#domain/accounts/endpoints.ts'
import { colours, primaryShades } from '#domain/navigation/constants.ts'
import type { Branding } from '#domain/settings/endpoints.ts'
import { contrast, inkOn } from '#domain/settings/palette.ts'
import type { Language } from '#entities/define/language.ts'
import { sentences } from '#server/platform/text.ts'
import { addressOf } from './address.ts'
import { escapeHtml } from './html.ts'
import type { FirstPages } from './web-build.ts'

/** What the sign-in page shows after a refusal; the password is never sent back. */
export type Refusal = {
  status: number
  email: string
  failure: string
  asksCode: boolean
  retryAfter?: string | undefined
}

type Drawing = { branding: Branding; language: Language; hasGoogle: boolean; refusal?: Refusal | undefined }

/**
 * The page with the sign-in form in it, which works without scripts. `first-paint.js` loads the app, whose files are
 * named in a `<meta>` element. The build drew the form.
 */
export function withSignInForm(page: string, pages: FirstPages, { branding, language, hasGoogle, refusal }: Drawing) {
  const state = refusal ? (refusal.asksCode ? 'code' : 'refused') : 'empty'
  const drawn = pages[[language, state, branding.logo && 'logo', hasGoogle && 'google'].filter(Boolean).join(' ')]
  if (!drawn) return page
  const texts: Record<string, string> = {
    university: branding.name || branding.shortName,
    logo: branding.logo ?? '',
    email: refusal?.email ?? '',
    failure: refusal?.failure ?? '',
  }
  const form = inColour(drawn.html, branding.shades).replace(/\{\{(\w+)\}\}/g, (_, name: string) =>
    escapeHtml(texts[name] ?? ''),
  )
  const files: string[] = []
  return page
    .replace(/<html lang="\w+"/, `<html lang="${language}"`)
    .replace(/<title>[^<]*/, () => `<title>${escapeHtml(drawn.title)}`)
    .replace(
      / *<(?:script type="module"[^>]* src|link rel="modulepreload"[^>]* href)="([^"]+)"[^>]*>(?:<\/script>)?\n?/g,
      (_, file: string) => {
        files.push(file)
        return ''
      },
    )
    .replace('<script', () => `<meta name="app" content='${JSON.stringify(files)}' />\n    <script`)
    .replace('<div id="root"></div>', () => `<div id="root">${form}</div>`)
}

const readableContrast = 4.5
/** Lightest background on which the dark theme shows links. */
const lightestDark = '#2D2D43'

/** The form's colours are those of the product; a university's own replace them, as the theme of the app does. */
function inColour(html: string, shades: readonly string[]): string {
  if (shades.length !== primaryShades.length) return html
  const own = html.replace(
    /#[0-9A-F]{6}\b/g,
    (colour) => shades[(primaryShades as readonly string[]).indexOf(colour)] ?? colour,
  )
  const [lighter = '', fill = '', darker = ''] = shades.slice(4)
  const ink = inkOn(fill)
  const hover = ink === colours.ink ? lighter : darker
  const fills = `--pmb-ink:${ink};--mantine-primary-color-contrast:${ink};--mantine-color-primary-filled-hover:${hover}`
  const link = contrast(fill, lightestDark) >= readableContrast ? fill : lighter
  const inDark = `--mantine-color-anchor:${link};--mantine-color-primary-text:${link}`
  const rules = `:root[data-mantine-color-scheme]{${fills}}:root[data-mantine-color-scheme=dark]{${inDark}}`
  return own.replace('</style>', () => `${rules}</style>`)
}

/**
 * Whether the form was sent by a page of this server. Another site could otherwise sign a visitor in to an account of
 * its own. Browsers send one of the two headers with every form; `Sec-Fetch-Site` only over HTTPS.
 */
export function isOwnForm({ headers }: FastifyRequest, publicUrl: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const { origin } = headers
  if (!origin || !URL.canParse(origin)) return false
  return new URL(origin).host === headers.host || origin === new URL(publicUrl).origin
}

/** Fields of a form that was sent without scripts. */
export const readForm = (body: string) => new URLSearchParams(body)

/** Signs in by the call of the app, under the same rules and limits. */
export async function signInByForm(
  app: FastifyInstance,
  request: FastifyRequest,
  form: URLSearchParams,
  language: Language,
): Promise<{ token: string } | Refusal> {
  const email = (form.get('email') ?? '').trim()
  const code = form.get('code')?.trim()
  const {
    statusCode: status,
    headers,
    body,
  } = await app.inject({
    method: login.method,
    url: `/api${login.path}`,
    remoteAddress: addressOf(request),
    headers: { 'accept-language': language, 'user-agent': request.headers['user-agent'] },
    payload: { email, password: form.get('password') ?? '', ...(code && { code }) },
  })
  const answer = JSON.parse(body)
  if (status === 200) return { token: answer.access_token }
  const asksCode = /^totp_/.test(answer.code)
  const wait = headers['retry-after']
  const retryAfter = wait === undefined ? undefined : String(wait)
  return { status, email, failure: sentenceOf(answer, language), asksCode, retryAfter }
}

type FailedAnswer = { message: string; code: string; errors?: Record<string, string[]> }

/** One sentence for each refused field, or the sentence of the answer. */
function sentenceOf({ message, code, errors = {} }: FailedAnswer, language: Language): string {
  if (code !== 'invalid_input') return Object.values(errors).flat().join(' ') || message
  const t = sentences(language)
  return Object.entries(errors)
    .map(([field, said]) => `${t(`accounts:fields.${field}`)}: ${said.join(' ')}`)
    .join(' ')
}
