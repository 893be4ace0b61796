import { inkOn, paletteOf } from '#domain/settings/palette.ts'
import type { Language } from '#entities/define/language.ts'
import type { Settings } from '#server/platform/settings.ts'
import { sentences } from '#server/platform/text.ts'

type Message = { accountName: string | null; language: Language; body: string; link: string | null }

type Look = Pick<Settings, 'universityName' | 'primaryColour'>

/** Text and HTML of a stored message. */
export function composeMail(settings: Look, { accountName, language, body, link }: Message) {
  const greeting = accountName === null ? null : sentences(language)('messages:greeting', { name: accountName })
  return layMailOut(settings, { language, greeting, body, link, footnote: null })
}

type Content = {
  language: Language
  greeting: string | null
  body: string
  link: string | null
  /** Last line with a link, such as the opt-out. */
  footnote: { words: string; link: string } | null
}

/** Text and HTML in the layout shared by all mails of the university. */
export function layMailOut(
  { universityName, primaryColour }: Look,
  { language, greeting, body, link, footnote }: Content,
) {
  const t = sentences(language)
  const closing = t('messages:closing', { university: universityName })
  const lastLine = footnote && `${footnote.words} ${footnote.link}`
  const text = [greeting, body, link, `--\n${closing}`, lastLine].filter(Boolean).join('\n\n')
  const paragraphs = [greeting, body].filter((part) => part !== null).map((part) => `<p>${escapeHtml(part)}</p>`)
  const buttonColour = paletteOf(primaryColour).shades[5]
  const button = link
    ? `<p><a href="${escapeHtml(link)}" style="display:inline-block;padding:12px 20px;background:${buttonColour};color:${inkOn(buttonColour)};border-radius:6px;text-decoration:none">${escapeHtml(t('messages:openLink'))}</a></p><p style="font-size:13px">${escapeHtml(link)}</p>`
    : ''
  const small = 'font-size:13px;color:#5e6278'
  const last = footnote
    ? `<p style="${small}"><a href="${escapeHtml(footnote.link)}" style="color:#5e6278">${escapeHtml(footnote.words)}</a></p>`
    : ''
  const html = `<!doctype html><html lang="${language}"><body style="font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1e1e2d;max-width:560px">${paragraphs.join('')}${button}<p style="${small}">${escapeHtml(closing)}</p>${last}</body></html>`
  return { text, html }
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (character) => entities[character]!).replaceAll('\n', '<br>')
