import type { ComponentType, LazyExoticComponent } from 'react'
import type { Localized } from '#entities/define/language.ts'
import type { Row } from '#entities/define/row.ts'
import { lazyPart } from '#web/ui/lazy-part.ts'

type Lazy<P> = LazyExoticComponent<ComponentType<P>>

/** Parts of an entity beyond the generic pages. Each belongs to its module and loads when shown. */
type Extras = {
  /** Further tabs of its view page; `instead` replaces the list of that nested entity. */
  tabs?: readonly { key: string; label: Localized; instead?: string; Panel: Lazy<{ row: Row }> }[]
  /** Below the form of a saved row. */
  below?: Lazy<{ id: string }>
  /** Beside the form, with its current values. */
  beside?: Lazy<{ values: Record<string, unknown> }>
  /** Beside the title of its list. */
  actions?: Lazy<object>
  /** Above its list. */
  above?: Lazy<object>
  /** The form stays open after a new row is saved, to show `below`. */
  stays?: true
}

export const extrasOf = (slug: string): Extras => extras[slug] ?? {}

const extras: Record<string, Extras> = {
  'notifikasi-whatsapp': { beside: lazyPart(() => import('#web/modules/messaging/template-panel.tsx')) },
  prodi: {
    tabs: [
      {
        key: 'uang-kuliah',
        label: { en: 'Tuition', id: 'Uang kuliah' },
        instead: 'uang-kuliah',
        Panel: lazyPart(() => import('#web/modules/fees/tuition/tuition-panel.tsx')),
      },
    ],
    actions: lazyPart(() => import('#web/modules/fees/tuition/copy-all-tuition.tsx')),
  },
  'sma-nama': { actions: lazyPart(() => import('#web/modules/schools/quality-buttons.tsx')) },
  periode: { actions: lazyPart(() => import('#web/modules/admission-year/new-year-button.tsx')) },
  'jadwal-test': { below: lazyPart(() => import('#web/modules/testing/sessions/session-link.tsx')) },
  cicilan: { below: lazyPart(() => import('#web/modules/fees/plan/plan-terms.tsx')), stays: true },
  'biaya-pendaftaran': {
    above: lazyPart(() => import('#web/modules/fees/fee-rule.tsx')),
    beside: lazyPart(() => import('#web/modules/fees/fee-beside.tsx')),
  },
  afiliator: { below: lazyPart(() => import('#web/modules/affiliates/staff/account-panel.tsx')) },
  diskon: { beside: lazyPart(() => import('#web/modules/fees/discount-beside.tsx')) },
  sumbangan: { beside: lazyPart(() => import('#web/modules/fees/donation-beside.tsx')) },
}
