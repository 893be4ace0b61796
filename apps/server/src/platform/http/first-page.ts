import type { FastifyInstance, FastifyRequest } from 'fastify'
import { login, register, saveStudyIntent } from '#domain/accounts/endpoints.ts'
import { signUpProblems } from '#domain/accounts/fields.ts'
import { colours, primaryShades } from '#domain/navigation/constants.ts'
import type { Branding } from '#domain/settings/endpoints.ts'
import { contrast, inkOn } from '#domain/settings/palette.ts'
import type { Language } from '#entities/define/language.ts'
import { sentences } from '#server/platform/text.ts'
import { addressOf } from './address.ts'
import { escapeHtml } from './html.ts'
import type { FirstPages } from './web-build.ts'

/** What the page shows after a refusal; passwords are never sent back. */
export type Refusal = {
  status: number
  /** Values of fields other than passwords. */
  typed: Record<string, string>
  failure: string
  asksCode: boolean
  retryAfter?: string | undefined
}

/** Pages whose form is in the first HTML. */
export type FormPage = 'sign-in' | 'sign-up'

type Drawing = {
  name: FormPage
  branding: Branding
  language: Language
  hasGoogle: boolean
  /** What the consent of sign-up names. */
  privacy: { consentVersion: string; universityName: string; privacyNotice: Readonly<Record<Language, string>> }
  refusal?: Refusal | undefined
}

/**
 * The page with its form in it, which works without scripts. `first-paint.js` loads the app, whose files are named in a
 * `<meta>` element. The build drew the form.
 */
export function withForm(
  page: string,
  pages: FirstPages,
  { name: pageName, branding, language, hasGoogle, privacy, refusal }: Drawing,
) {
  const state = refusal ? (refusal.asksCode ? 'code' : 'refused') : 'empty'
  const { privacyNotice } = privacy
  const notice = pageName === 'sign-up' && (privacyNotice[language] || privacyNotice.id || privacyNotice.en)
  const parts = [pageName, language, state, branding.logo && 'logo', hasGoogle && 'google', notice && 'notice']
  const drawn = pages[parts.filter(Boolean).join(' ')]
  if (!drawn) return page
  const texts: Record<string, string> = {
    university: branding.name || branding.shortName,
    fullName: privacy.universityName,
    version: privacy.consentVersion,
    notice: notice || '',
    logo: branding.logo ?? '',
    failure: refusal?.failure ?? '',
    ...refusal?.typed,
  }
  const form = inColour(drawn.html, branding.shades).replace(/\{\{(\w+)\}\}/g, (_, name: string) =>
    escapeHtml(texts[name] ?? ''),
  )
  const files: string[] = []
  const sheets = filesOf(page, pageName).filter((file) => file.endsWith('.css'))
  const links = sheets.map((file) => `<link rel="stylesheet" crossorigin href="${file}">`).join('')
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
    .replace('</head>', () => `${links}</head>`)
    .replace('<div id="root"></div>', () => `<div id="root">${form}</div>`)
}

/** Files of a layer, which the build names in the page. */
function filesOf(page: string, layer: string): string[] {
  const [, files = '{}'] = /<meta name="files" content='([^']*)'/.exec(page) ?? []
  return (JSON.parse(files) as Record<string, string[]>)[layer] ?? []
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

type Outcome = { token: string } | Refusal

/** Makes a call of the app for a form, under the same rules and limits. */
async function callByForm(
  app: FastifyInstance,
  request: FastifyRequest,
  language: Language,
  call: { method: 'POST' | 'PUT'; path: string },
  payload: object,
  token?: string,
) {
  const { statusCode, headers, body } = await app.inject({
    method: call.method,
    url: `/api${call.path}`,
    remoteAddress: addressOf(request),
    headers: {
      'accept-language': language,
      'user-agent': request.headers['user-agent'],
      ...(token && { authorization: `Bearer ${token}` }),
    },
    payload,
  })
  const wait = headers['retry-after']
  return { status: statusCode, answer: JSON.parse(body), retryAfter: wait === undefined ? undefined : String(wait) }
}

export async function signInByForm(
  app: FastifyInstance,
  request: FastifyRequest,
  form: URLSearchParams,
  language: Language,
): Promise<Outcome> {
  const email = (form.get('email') ?? '').trim()
  const code = form.get('code')?.trim()
  const body = { email, password: form.get('password') ?? '', ...(code && { code }) }
  const { status, answer, retryAfter } = await callByForm(app, request, language, login, body)
  if (status === 200) return { token: answer.access_token }
  const asksCode = /^totp_/.test(answer.code)
  return { status, typed: { email }, failure: sentenceOf(answer, language), asksCode, retryAfter }
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Opens an account, and stores in it what the address of the page says about wave, track, programme and class. */
export async function signUpByForm(
  app: FastifyInstance,
  request: FastifyRequest,
  form: URLSearchParams,
  language: Language,
): Promise<Outcome> {
  const field = (name: string) => form.get(name) ?? ''
  const typed = { name: field('name').trim(), email: field('email').trim(), phone: field('phone').trim() }
  const body = { ...typed, password: field('password'), password_confirmation: field('password_confirmation') }
  const refusal = { typed, asksCode: false }
  // The call itself stands for the consent.
  if (!/^(on|yes|true|1)$/i.test(field('consent'))) {
    const t = sentences(language)
    const problems = Object.entries(signUpProblems(body)).flatMap(([name, problem]) =>
      problem ? [`${labelOf(name, language)}: ${t(`accounts:problem.${problem}`)}`] : [],
    )
    const failure = [...problems, t('accounts:problem.consent_required')].join(' ')
    return { ...refusal, status: 422, failure }
  }
  const { status, answer, retryAfter } = await callByForm(app, request, language, register, body)
  if (status >= 300) return { ...refusal, status, failure: sentenceOf(answer, language), retryAfter }
  const token = answer.access_token as string
  const query = request.query as Record<string, unknown>
  const idIn = (name: string) => (typeof query[name] === 'string' && uuid.test(query[name]) ? query[name] : null)
  const programmeId = idIn('programme')
  const [waveId, trackId, classProgrammeId] = [idIn('wave'), idIn('track'), idIn('class')]
  // A choice that is no longer offered is refused; the account is there without it.
  if (waveId || trackId || classProgrammeId || programmeId) {
    const choice = { waveId, trackId, classProgrammeId, programmeIds: programmeId ? [programmeId] : [] }
    await callByForm(app, request, language, saveStudyIntent, choice, token)
  }
  return { token }
}

const labelOf = (field: string, language: Language) =>
  sentences(language)(`accounts:fields.${field === 'password_confirmation' ? 'repeatPassword' : field}`)

type FailedAnswer = { message: string; code: string; errors?: Record<string, string[]> }

/** One sentence for each refused field, or the sentence of the answer. */
function sentenceOf({ message, code, errors = {} }: FailedAnswer, language: Language): string {
  if (code !== 'invalid_input') return Object.values(errors).flat().join(' ') || message
  return Object.entries(errors)
    .map(([field, said]) => `${labelOf(field, language)}: ${said.join(' ')}`)
    .join(' ')
}
