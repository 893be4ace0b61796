import { type Html, html, jsonHtml, rawHtml, scriptEnd } from '#server/platform/http/html.ts'
import type { Prospectus } from './read-prospectus.ts'
import type { Reader } from './reader.ts'
import { styleSheet } from './style.ts'

export type PublicPage = {
  /** Path without a query; the canonical address adds the language. */
  path: string
  title: string
  description: string
  body: Html
  /** Query that the link to the other language keeps. */
  query: Readonly<Record<string, string | readonly string[] | undefined>>
  /** schema.org data. */
  data?: readonly object[]
  /** Pages that say nothing lasting are not indexed. */
  noIndex?: boolean
}

/** Addresses in both languages: the Indonesian page is the one without `lang`, which crawlers get. */
export const addressesOf = (publicUrl: string, path: string) => ({
  id: publicUrl + path,
  en: `${publicUrl}${path}?lang=en`,
})

/** Weekdays such as `Senin–Jumat`; days with gaps between them one by one. */
function daysText({ t }: Reader, days: readonly number[]) {
  const sorted = days.toSorted((a, b) => a - b)
  const names = sorted.map((day) => t(`chat:days.${day}`))
  const isRow = sorted.every((day, index) => index === 0 || sorted.includes(day - 1))
  return isRow && names.length > 2 ? `${names[0]}–${names.at(-1)}` : names.join(', ')
}

function footer(reader: Reader, { university, office }: Prospectus) {
  const { t } = reader
  const { name, phone, email, address, website } = university
  return html`<footer class="foot"><div>
<h2>${t('prospectus:contact')}</h2>
<p>${name}${address && `, ${address}`}</p>
${office.days.length > 0 && html`<p class="dim">${t('prospectus:hours', { days: daysText(reader, office.days), from: office.from.replace(':', '.'), until: office.until.replace(':', '.') })}</p>`}
<p class="row">${phone && html`<a href="tel:${phone.replace(/[^\d+]/g, '')}">${phone}</a>`}
${email && html`<a href="mailto:${email}">${email}</a>`}
${website && html`<a href="${website}">${t('prospectus:website')}</a>`}
<a href="/acara">${t('titles:acara')}</a></p>
</div></footer>`
}

/** The whole document. Everything needed to read it is in it; the script only spares a page load. */
export function documentOf(reader: Reader, prospectus: Prospectus, publicUrl: string, page: PublicPage): string {
  const { t, language } = reader
  const { university, isDemo } = prospectus
  const { css } = styleSheet(university.colour)
  const addresses = addressesOf(publicUrl, page.path)
  const title = `${page.title} · ${university.name}`
  const image = university.logo && publicUrl + university.logo
  const other = language === 'id' ? 'en' : 'id'
  const data = page.data?.length ? { '@context': 'https://schema.org', '@graph': page.data } : undefined
  const tags: readonly (readonly [string, string])[] = [
    ['og:type', 'website'],
    ['og:site_name', university.name],
    ['og:title', title],
    ['og:description', page.description],
    ['og:url', addresses[language]],
    ['og:locale', language === 'id' ? 'id_ID' : 'en_GB'],
    ...(image ? [['og:image', image] as const] : []),
    ['twitter:card', 'summary'],
  ]
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#1E1E2D">
<title>${title}</title>
<meta name="description" content="${page.description}">
${page.noIndex && html`<meta name="robots" content="noindex">`}
<link rel="canonical" href="${addresses[language]}">
<link rel="alternate" hreflang="id" href="${addresses.id}">
<link rel="alternate" hreflang="en" href="${addresses.en}">
<link rel="alternate" hreflang="x-default" href="${addresses.id}">
<link rel="icon" href="/icon.svg" type="image/svg+xml">
${tags.map(([name, content]) => html`<meta property="${name}" content="${content}">`)}
<style>${rawHtml(css)}</style>
<script src="/prospectus.js" defer>${scriptEnd}
${data && html`<script type="application/ld+json">${jsonHtml(data)}${scriptEnd}`}
</head>
<body>
<a class="skip" href="#content">${t('common:skip')}</a>
<header class="top">${isDemo && html`<p class="demo">${t('prospectus:demo')}</p>`}<div>
<a class="brand" href="${reader.to('/daftar')}">${university.logo && html`<img src="${university.logo}" alt="">`}${university.name}</a>
<a id="bahasa" href="${reader.to(page.path, { ...page.query, lang: other })}" lang="${other}" hreflang="${other}">${t('prospectus:otherLanguage')}</a>
<a href="${signInPath(reader)}">${t('prospectus:signIn')}</a>
</div></header>
<main id="content" tabindex="-1">${page.body}</main>
${footer(reader, prospectus)}
</body>
</html>
`.markup
}

const signInPath = ({ language, tellsLanguage }: Reader) => `/sign-in${tellsLanguage ? `?lang=${language}` : ''}`
