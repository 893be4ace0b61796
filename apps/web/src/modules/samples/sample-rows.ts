import { useSyncExternalStore } from 'react'
import { z } from 'zod'
import { defineList } from '#domain/list.ts'
import type { Tone } from '#web/ui/text/status-dot.tsx'

export const sampleStatuses = ['waiting', 'progress', 'done', 'attention', 'stopped'] as const satisfies readonly Tone[]

const row = z.object({
  id: z.string(),
  name: z.string(),
  city: z.string(),
  status: z.enum(sampleStatuses),
  since: z.string(),
  /** Whole rupiah. */
  amount: z.int(),
})
export type SampleRow = z.output<typeof row>

const sampleList = <const N extends string>(name: N) =>
  defineList({
    name: `sample-${name}`,
    path: `/samples/${name}`,
    access: 'signed-in',
    summary: 'Invented rows of the style guide, which stay in the browser',
    words: { title: `samples:${name}.title`, columns: `samples:${name}`, filters: `samples:${name}` },
    row,
    columns: {
      name: { sort: true },
      city: { sort: true },
      status: { words: 'samples:status' },
      since: { kind: 'date', sort: true },
      amount: { kind: 'money', sort: true },
    },
    filters: { status: { values: sampleStatuses, words: 'samples:status' } },
    order: 'name',
  })

export const sampleLists = { customers: sampleList('customers'), subscriptions: sampleList('subscriptions') }
export type SampleKind = keyof typeof sampleLists

/** Page addresses for both kinds of sample rows. */
export const samplePaths = {
  customers: { list: '/apps/customers/customers-listing', detail: '/apps/customers/customer-details' },
  subscriptions: { list: '/apps/subscriptions/subscription-list', detail: '/apps/subscriptions/view-subscription' },
} as const satisfies Record<SampleKind, { list: string; detail: string }>

export const kindAt = (pathname: string): SampleKind =>
  pathname.startsWith('/apps/subscriptions') ? 'subscriptions' : 'customers'

const firstWords = {
  customers: ['Toko', 'Kafe', 'Bengkel'],
  subscriptions: ['Paket Buku', 'Paket Kopi', 'Paket Servis'],
}
const secondWords = 'Contoh Rekaan Misalnya Andai Umpama Percobaan Seandainya Khayal Karangan'.split(' ')
const cities = ['Kota Contoh', 'Kabupaten Rekaan', 'Kota Andai']

const inventRows = (kind: SampleKind): SampleRow[] =>
  firstWords[kind].flatMap((first, kindIndex) =>
    secondWords.map((second, index) => ({
      id: `${kindIndex}-${index}`,
      name: `${first} ${second}`,
      city: cities[index % cities.length]!,
      status: sampleStatuses[(index + kindIndex) % sampleStatuses.length]!,
      since: `2026-${String(((index * 2 + kindIndex) % 9) + 1).padStart(2, '0')}-${String(10 + index)}`,
      amount: (kindIndex + 1) * 125_000 + index * 35_000,
    })),
  )

const invented = { customers: inventRows('customers'), subscriptions: inventRows('subscriptions') }
let rows: Record<SampleKind, readonly SampleRow[]> = invented
const listeners = new Set<() => void>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Replaces the rows of a kind until the next reload. */
export function changeSampleRows(kind: SampleKind, change: (before: readonly SampleRow[]) => readonly SampleRow[]) {
  rows = { ...rows, [kind]: change(rows[kind]) }
  for (const listener of listeners) listener()
}

export const inventAgain = (kind: SampleKind) => changeSampleRows(kind, () => invented[kind])

export const useSampleRows = (kind: SampleKind) => useSyncExternalStore(subscribe, () => rows[kind])
