import type { Audience } from './campaigns.ts'

/** Screens of the specification, each with audiences of its own. */
export const audiencesOfScreen = {
  registrations: ['registrations'],
  sheet: ['sheet'],
  marketing: ['leads', 'visitors', 'schools', 'affiliates'],
} as const satisfies Record<string, readonly Audience[]>
export type CampaignScreen = keyof typeof audiencesOfScreen

/** A screen of the specification: its campaigns lie below its address. */
export type Screen = {
  key: CampaignScreen
  path: string
  /** Route name, and start of the names of the pages below. */
  name: string
  access: string
  audiences: readonly [Audience, ...Audience[]]
  /** Address below which texts, opt-outs and blocked addresses lie; screens of one heading share them. */
  shared: string
}

export const screens = {
  registrations: {
    key: 'registrations',
    path: '/kirim-informasi/pendaftaran',
    name: 'kirim-informasi-pendaftaran',
    access: 'kirim-informasi-view',
    audiences: audiencesOfScreen.registrations,
    shared: '/kirim-informasi',
  },
  sheet: {
    key: 'sheet',
    path: '/kirim-informasi/file-excel',
    name: 'kirim-informasi-file-excel',
    access: 'kirim-informasi-file-excel',
    audiences: audiencesOfScreen.sheet,
    shared: '/kirim-informasi',
  },
  marketing: {
    key: 'marketing',
    path: '/marketing/kirim-informasi',
    name: 'marketing-kirim-informasi',
    access: 'marketing-kirim-informasi-view',
    audiences: audiencesOfScreen.marketing,
    shared: '/marketing/kirim-informasi',
  },
} as const satisfies Record<CampaignScreen, Screen>

/** Parts that the screens of one heading share, by the last part of their address. */
export const sharedParts = { templates: 'teks', optOuts: 'berhenti', suppressions: 'alamat-diblokir' } as const

/** The screen below whose address a page lies; texts and addresses of registrations and sheets count as registrations. */
export const screenAt = (pathname: string): Screen =>
  Object.values(screens).find(({ path }) => pathname.startsWith(path)) ?? screens.registrations

export const screenOf = (audience: Audience): Screen =>
  Object.values<Screen>(screens).find(({ audiences }) => audiences.includes(audience))!

export const campaignPath = ({ audience, id }: { audience: Audience; id: string }) => `${screenOf(audience).path}/${id}`
