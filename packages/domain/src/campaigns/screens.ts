import type { Audience } from './campaigns.ts'

export const audiencesOfScreen = {
  registrations: ['registrations'],
  sheet: ['sheet'],
  marketing: ['leads', 'visitors', 'schools', 'affiliates'],
} as const satisfies Record<string, readonly Audience[]>
export type CampaignScreen = keyof typeof audiencesOfScreen

/** A campaign screen. The pages of its campaigns are below `path`. */
export type Screen = {
  key: CampaignScreen
  path: string
  /** Route name, and prefix of the names of the pages below `path`. */
  name: string
  access: string
  audiences: readonly [Audience, ...Audience[]]
  /**
   * Base path of the pages for templates, opt-outs and suppressed addresses. Screens with the same value share these
   * pages.
   */
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

/** Last path segments of the pages below `shared`. */
export const sharedParts = { templates: 'teks', optOuts: 'berhenti', suppressions: 'alamat-diblokir' } as const

/** The screen that a path belongs to. Pages shared by registrations and sheets belong to registrations. */
export const screenAt = (pathname: string): Screen =>
  Object.values(screens).find(({ path }) => pathname.startsWith(path)) ?? screens.registrations

export const screenOf = (audience: Audience): Screen =>
  Object.values<Screen>(screens).find(({ audiences }) => audiences.includes(audience))!

export const campaignPath = ({ audience, id }: { audience: Audience; id: string }) => `${screenOf(audience).path}/${id}`
