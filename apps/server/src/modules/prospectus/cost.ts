import { donationRuleFor } from '#domain/fees/donation-rule.ts'
import { mustGet } from '#domain/must.ts'
import { longDate, rupiah } from '#locales/format.ts'
import type { PricedClass } from '#server/modules/payments/bills/prices/price-list.ts'
import { type Html, html } from '#server/platform/http/html.ts'
import { className, type Offer, priceOf, trackName } from './facts.ts'
import type { Programme, Prospectus, Track, Wave } from './read-prospectus.ts'
import type { Reader } from './reader.ts'

/** An amount that scripts and tests can read. */
export const money = (amount: number, name?: string): Html =>
  html`<data value="${amount}"${name !== undefined && html` data-sum="${name}"`}>${rupiah(amount)}</data>`

type Line = { label: string; note?: string | undefined; amount: number; name?: string; isSum?: boolean }

const sums = (lines: readonly Line[]) =>
  html`<dl class="sums">${lines.map(
    ({ label, note, amount, name, isSum }) => html`
<dt${isSum && html` class="all"`}>${label}</dt><dd${isSum && html` class="all"`}>${money(amount, name)}</dd>${note && html`<dd class="note">${note}</dd>`}`,
  )}</dl>`

type Place = { wave: Wave; programme: Programme; offer: Offer; tracks: readonly Track[]; track: Track | undefined }

/** The cost of a class: every amount if the track is known, else the sums of each track. */
export function costOf(reader: Reader, prospectus: Prospectus, place: Place, discountIds: ReadonlySet<string>): Html {
  const { t } = reader
  const { track, tracks, offer } = place
  if (tracks.length === 0) return html`<p>${t('prospectus:noTrack')}</p>`
  if (track) return fullCost(reader, prospectus, { ...place, track }, discountIds)
  return html`<p>${t('prospectus:chooseTrack', { class: className(reader, prospectus, offer) })}</p>
<ul class="stack">${tracks.map((one) => {
    const priced = priceOf(prospectus, { ...place, track: one }, discountIds)
    const feeLine = { label: t('prospectus:fee'), amount: priced.fee.total, name: 'fee' }
    return html`<li data-track="${one.code}"><h3>${trackName(reader, prospectus, one)}</h3>${
      priced.isPriced
        ? sums([
            feeLine,
            { label: t('prospectus:firstPayment'), amount: priced.firstPayment, name: 'first-payment' },
            { label: t('prospectus:firstYear'), amount: priced.firstYear, name: 'first-year', isSum: true },
          ])
        : html`${sums([feeLine])}<p>${t('prospectus:notPriced')}</p>`
    }</li>`
  })}</ul>`
}

function fullCost(
  reader: Reader,
  prospectus: Prospectus,
  place: Place & { track: Track },
  discountIds: ReadonlySet<string>,
): Html {
  const { t } = reader
  const priced = priceOf(prospectus, place, discountIds)
  const discountName = (id: string) => {
    const discount = prospectus.prices.discounts.find((one) => one.id === id)
    return discount ? reader.nameOf(discount) : ''
  }
  const discountNote = (id: string) => {
    const validTo = prospectus.prices.discounts.find((one) => one.id === id)?.validTo
    return validTo ? t('prospectus:validTo', { date: longDate(validTo, reader.language) }) : undefined
  }
  const linesOf = (lines: PricedClass['bill']['lines'], kind: string): Line[] =>
    lines.map(({ discount, feeComponentId, amount }) => {
      if (discount)
        return {
          label: discountName(discount.discountId),
          note: discountNote(discount.discountId),
          amount,
          name: `${kind}-discount`,
        }
      const component = feeComponentId ? prospectus.prices.components.get(feeComponentId) : undefined
      return {
        label: component ? reader.nameOf(component) : t('prospectus:fee'),
        note: component && reader.textOf(component.descriptionEn, component.description),
        amount,
        name: `${kind}-line`,
      }
    })
  const { fee, bill } = priced
  const feeLines = fee.lines.length > 1 ? linesOf(fee.lines, 'fee') : []
  return html`${priced.isPriced && html`<div class="big">${yearOf(reader, priced)}</div>`}
<section><h3>${t('prospectus:fee')}</h3><p class="dim">${fee.total > 0 ? t('prospectus:feeWhen') : t('prospectus:freeOfFee')}</p>
${sums([...feeLines, { label: t('prospectus:fee'), amount: fee.total, name: 'fee', isSum: true }])}</section>
${
  priced.isPriced
    ? html`<section><h3>${t('prospectus:bill')}</h3><p class="dim">${t('prospectus:billWhen')}</p>
${sums([...linesOf(bill.lines, 'bill'), { label: t('prospectus:total'), amount: bill.total, name: 'bill', isSum: true }])}</section>
${waysOf(reader, prospectus, priced)}
${
  priced.later.length > 0 &&
  html`<section><h3>${t('prospectus:laterTitle')}</h3>${sums(
    priced.later.map(({ component, times, amount }) => ({
      label:
        component.recurrence === 'monthly'
          ? t('prospectus:laterMonths', { name: reader.nameOf(component), count: times })
          : t('prospectus:laterSemester', { name: reader.nameOf(component) }),
      amount,
      name: 'later',
    })),
  )}</section>`
}
<p class="dim">${t('prospectus:sameNumbers')}</p>`
    : html`<p>${t('prospectus:notPriced')}</p>`
}
${donationNote(reader, prospectus, place)}`
}

/** What most readers look for: the first payment and the first year. */
const yearOf = ({ t }: Reader, { firstPayment, firstYear }: PricedClass) =>
  sums([
    {
      label: t('prospectus:firstYear'),
      note: t('prospectus:firstYearHelp'),
      amount: firstYear,
      name: 'first-year',
      isSum: true,
    },
    { label: t('prospectus:firstPayment'), amount: firstPayment, name: 'first-payment' },
  ])

/** Paying at once, and every plan with its parts. */
function waysOf(reader: Reader, { prices }: Prospectus, { bill, plans }: PricedClass): Html {
  const { t, language } = reader
  if (bill.total === 0) return html``
  const upfront = bill.lines
    .filter((line) => line.installmentsAllowed === false && !line.discount)
    .map(({ feeComponentId }) => mustGet(prices.components, feeComponentId as string))
  const whenOf = ({ term, dueAt }: PricedClass['plans'][number]['parts'][number]) =>
    term.dueDate
      ? t('prospectus:by', { date: longDate(dueAt, language) })
      : t('prospectus:afterDays', { count: term.dueDays ?? 0 })
  const hasParts = plans.some(({ parts }) => parts.length > 1)
  return html`<section><h3>${t('prospectus:ways')}</h3><ul class="stack">
<li data-plan="">${sums([
    { label: t('prospectus:atOnce'), note: t('prospectus:afterDays', { count: 7 }), amount: bill.total, name: 'part' },
  ])}</li>
${plans.map(
  (plan) =>
    html`<li data-plan="${plan.code}">${plan.parts.length > 1 && html`<b>${reader.nameOf(plan)}</b>`}${sums(
      plan.parts.map((part) => ({
        label: plan.parts.length > 1 ? t('prospectus:part', { position: part.position }) : reader.nameOf(plan),
        note: whenOf(part),
        amount: part.amount,
        name: 'part',
      })),
    )}</li>`,
)}</ul>
${hasParts && upfront.length > 0 && html`<p class="dim">${t('prospectus:upfront', { names: upfront.map(reader.nameOf).join(', ') })}</p>`}</section>`
}

function donationNote({ t }: Reader, { donations }: Prospectus, { wave, programme, track }: Place & { track: Track }) {
  if (!track.asksDonation) return null
  const rules = donations.filter(({ waveId }) => waveId === wave.id)
  const rule = donationRuleFor(rules, { programmeId: programme.id, trackId: track.id })
  return html`<p class="dim">${
    rule && rule.minimumAmount > 0
      ? t('prospectus:donationMinimum', { amount: rupiah(rule.minimumAmount) })
      : t('prospectus:donation')
  }</p>`
}
