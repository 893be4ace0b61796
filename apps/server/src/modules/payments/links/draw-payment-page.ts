import type { LinkEnd, PaymentPage } from '#domain/payments/links/payment-page.ts'
import { groupedNumber } from '#domain/payments/providers/virtual-account-number.ts'
import type { Language } from '#entities/define/language.ts'
import { languages } from '#entities/define/language.ts'
import { dateTime, rupiah, timeOfDay, weekdayDate } from '#locales/format.ts'
import { type Html, html, rawHtml, scriptEnd, sourceHash } from '#server/platform/http/html.ts'
import { sentences } from '#server/platform/text.ts'
import { styles } from './payment-page-styles.ts'

export type Surroundings = {
  language: Language
  /** Path of the page, without query. */
  path: string
  publicUrl: string
  /** The bank was just asked and has not received a payment. */
  askedInVain: boolean
  /** Sentence about what just failed. */
  failure: string | null
}

type University = PaymentPage['university']
type Say = ReturnType<typeof sentences>

/** Shows the copy buttons, which need it, and lets them work. The page is complete without it. */
const script = `for(const b of document.querySelectorAll('[data-copy]')){b.hidden=false;b.onclick=async()=>{
let done=true;try{await navigator.clipboard.writeText(b.dataset.copy)}catch{const f=document.createElement('textarea');
f.value=b.dataset.copy;document.body.append(f);f.select();done=document.execCommand('copy');f.remove();b.focus()}
if(done){const w=b.textContent;b.textContent=b.dataset.done;document.getElementById('told').textContent=b.dataset.done;
setTimeout(()=>{b.textContent=w},2500)}}}`

/** Only the page's own style and script run, both known by their hash. */
export const policy = [
  "default-src 'none'",
  `style-src ${sourceHash(styles)}`,
  `script-src ${sourceHash(script)}`,
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

type Frame = { title: string; university: University; surroundings: Surroundings; counts?: boolean; body: Html }

function drawFrame({ title, university, surroundings, counts = false, body }: Frame): string {
  const { language, path } = surroundings
  const t = sentences(language)
  const others = languages.filter((other) => other !== language)
  const contact = [university.phone, university.email].filter(Boolean).join(' · ')
  const page = html`<!doctype html><html lang="${language}"><head><meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" /><meta name="robots" content="noindex" />
<meta name="referrer" content="no-referrer" /><title>${title} · ${university.name}</title>
<meta property="og:title" content="${t('payment-page:card.title', { university: university.name })}" />
<meta property="og:description" content="${t('payment-page:card.text')}" />
<style>${rawHtml(styles)}</style></head><body>
<header><span>${university.logo && html`<img src="${university.logo}" alt="" />`}${university.name}</span>
${others.map((other) => html`<a href="${path}?lang=${other}" lang="${other}" hreflang="${other}">${sentences(other)('payment-page:language')}</a>`)}</header>
<main>${body}</main>
<footer class="quiet"><p>${t('payment-page:about', { university: university.name })}</p>
${contact && html`<p>${t('payment-page:contact', { contact })}</p>`}</footer>
<div id="told" role="status" class="aside"></div>
${counts && html`<img class="spot" src="${path}/dibuka.gif" alt="" />`}
<script>${rawHtml(script)}${scriptEnd}</body></html>`
  return page.markup
}

const moment = (value: Date, language: Language) => `${weekdayDate(value, language)}, ${timeOfDay(value, language)}`

/** The page of one bill. */
export function drawPage(page: PaymentPage, surroundings: Surroundings): string {
  const { language, failure, askedInVain } = surroundings
  const t = sentences(language)
  const { owed } = page
  const title = owed ? titleOf(owed, t, language) : t('payment-page:settled.title')
  const body = html`
${failure && html`<div class="card note bad" role="alert">${failure}</div>`}
<div class="card"><h1>${title}</h1>
${!owed && html`<p>${t('payment-page:settled.text')}</p>`}
<dl>${facts(page, t).map(([term, value]) => html`<dt>${term}</dt><dd>${value}</dd>`)}</dl></div>
${page.waiting > 0 && html`<div class="card note">${t(owed ? 'payment-page:waiting.owed' : 'payment-page:waiting.settled', { amount: rupiah(page.waiting) })}</div>`}
${owed && askedInVain && html`<div class="card note" role="status">${t('payment-page:askedInVain')}</div>`}
${owed && drawPaying(page, surroundings, t)}
${drawReceipts(page, surroundings, t)}`
  return drawFrame({ title, university: page.university, surroundings, counts: true, body })
}

function titleOf({ amount, dueAt, overdue }: NonNullable<PaymentPage['owed']>, t: Say, language: Language) {
  const params = { amount: rupiah(amount), due: dueAt && moment(dueAt, language) }
  return t(dueAt ? (overdue ? 'bills:pay.overdue' : 'bills:pay.before') : 'bills:pay.anytime', params)
}

function facts({ initials, programme, kind, owed, paid }: PaymentPage, t: Say): [string, string][] {
  const about = t(`bills:kind.${kind}`)
  const { instalment } = owed ?? {}
  return [
    [t('payment-page:fact.for'), initials],
    ...(programme ? ([[t('payment-page:fact.programme'), programme]] as [string, string][]) : []),
    [t('payment-page:fact.bill'), instalment ? t('payment-page:fact.instalment', { about, ...instalment }) : about],
    ...(paid > 0 ? ([[t('payment-page:fact.paid'), rupiah(paid)]] as [string, string][]) : []),
  ]
}

function drawPaying({ number, numberExpired, banks, initials }: PaymentPage, surroundings: Surroundings, t: Say): Html {
  const { path, language } = surroundings
  const hasNumber = number?.number != null
  const choice = html`<form method="post" action="${path}/nomor?lang=${language}"><fieldset>
<legend>${t('payment-page:bank.choose')}</legend><p class="quiet">${t('payment-page:bank.help')}</p>
${banks.map(
  (
    { code, name, demo },
    index,
  ) => html`<label><input type="radio" name="bank" value="${code}" required${(number ? code === number.bank : index === 0) && rawHtml(' checked')} />
<span>${name}${demo && ` (${t('bills:sandbox.title')})`}</span></label>`,
)}</fieldset>
<button class="${number ? '' : 'main'}">${t('bills:account.request')}</button></form>`
  return html`<section class="card" id="bayar"><h2>${t('bills:how.title')}</h2>
${numberExpired && html`<p class="note">${t('bills:account.expired')}</p>`}
${number && !hasNumber && html`<p class="note" role="status">${t('payment-page:pending', { bank: number.bankName })}</p>`}
${number && hasNumber && drawNumber(number as KnownNumber, surroundings, t, initials)}
${banks.length === 0 && html`<p>${t('payment-page:bank.none')}</p>`}
${!number && banks.length > 0 && choice}
${number && banks.length > 1 && html`<details><summary>${t('bills:account.otherBank')}</summary>${choice}</details>`}
</section>
${
  number &&
  html`<section class="card"><h2>${t('payment-page:after.title')}</h2><p>${t('payment-page:after.text')}</p>
<form method="post" action="${path}/periksa?lang=${language}"><button class="main">${t('bills:account.check')}</button></form></section>`
}`
}

type KnownNumber = NonNullable<PaymentPage['number']> & { number: string }

const channels = ['mobile', 'internet', 'atm'] as const

function drawNumber(account: KnownNumber, { language, publicUrl }: Surroundings, t: Say, initials: string): Html {
  const { number, bankName, qr, amount, expiresAt, way, payUrl, demo } = account
  const copy = (
    label: string,
    text: string,
    value: string,
    name: string,
  ) => html`<div class="copy"><span>${label}<b>${text}</b></span>
<button type="button" hidden data-copy="${value}" data-done="${t('bills:account.copied')}" aria-label="${name}">${t('bills:account.copy')}</button></div>`
  const steps = (channel: (typeof channels)[number]) =>
    t(`bills:how.steps.${channel}`, {
      returnObjects: true,
      bank: bankName,
      number: groupedNumber(number),
      name: initials,
      amount: rupiah(amount),
    }) as unknown as string[]
  const until = html`<p class="quiet">${t('bills:account.validUntil', { time: moment(expiresAt, language) })}. ${t('bills:account.thenNew')}</p>`
  if (way !== 'transfer')
    return html`<p><b>${bankName}</b></p>
${qr && drawCode(qr, t('bills:account.qrisCode'))}
${payUrl && html`<p><a class="button" href="${payUrl}">${t('bills:account.openWallet', { wallet: bankName })}</a></p>`}
<p>${t(`bills:account.pay.${way}`, { wallet: bankName, amount: rupiah(amount) })}</p>${until}`
  return html`${qr && demo && drawDemoCode(number, qr, publicUrl, t)}
<p><b>${bankName}</b></p>
${copy(t('bills:account.number'), groupedNumber(number), number, t('bills:account.copyNumber'))}
${copy(t('bills:account.amount'), rupiah(amount), String(amount), t('bills:account.copyAmount'))}
${until}
${channels.map((channel) => html`<details><summary>${t(`bills:how.${channel}`)}</summary><ol>${steps(channel).map((step) => html`<li>${step}</li>`)}</ol></details>`)}`
}

const drawCode = (
  { size, path }: NonNullable<KnownNumber['qr']>,
  label: string,
) => html`<svg class="qr" viewBox="-4 -4 ${size + 8} ${size + 8}" role="img" aria-label="${label}">
<path d="${path}" fill="#000" shape-rendering="crispEdges" /></svg>`

/** The demo bank's code to scan; on the phone that shows it, the link below opens the same page. */
function drawDemoCode(number: string, qr: NonNullable<KnownNumber['qr']>, publicUrl: string, t: Say): Html {
  return html`${drawCode(qr, t('bills:account.qr'))}
<p class="quiet">${t('bills:account.scan')} ${t('bills:account.demo')}</p>
<p><a class="button" href="${publicUrl}/sandbox-bank/${number}">${t('bills:account.openDemo')}</a></p>`
}

function drawReceipts({ receipts }: PaymentPage, { path, language }: Surroundings, t: Say): Html | false {
  if (receipts.length === 0) return false
  return html`<section class="card"><h2>${t('bills:history.title')}</h2>
${receipts.map(
  ({
    paymentId,
    number,
    amount,
    paidAt,
  }) => html`<div class="row"><span><b>${rupiah(amount)}</b><br /><span class="quiet">${dateTime(paidAt, language)}</span></span>
<a href="${path}/kuitansi/${paymentId}?lang=${language}" aria-label="${t('bills:history.receiptName', { number })}">${t('bills:history.receipt')}</a></div>`,
)}
<p class="quiet">${t('payment-page:receiptHelp')}</p></section>`
}

/** The page of a link that shows no bill. */
export function drawEnd(end: LinkEnd, university: University, surroundings: Surroundings): string {
  const t = sentences(surroundings.language)
  const title = t(`payment-page:end.${end}.title`)
  const body = html`<div class="card"><h1>${title}</h1><p>${t(`payment-page:end.${end}.text`)}</p></div>`
  return drawFrame({ title, university, surroundings, body })
}

/** The page of a failure for which nothing could be read. */
export function drawFailure(sentence: string, surroundings: Surroundings): string {
  const t = sentences(surroundings.language)
  const title = t('payment-page:failed.title')
  const university = { name: t('payment-page:card.office'), phone: '', email: '', logo: null }
  const body = html`<div class="card"><h1>${title}</h1><p role="alert">${sentence}</p>
<p><a href="${surroundings.path}?lang=${surroundings.language}">${t('payment-page:failed.again')}</a></p></div>`
  return drawFrame({ title, university, surroundings, body })
}
