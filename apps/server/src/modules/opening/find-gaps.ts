import { isWholePlan } from '#domain/fees/instalment-plan.ts'
import { feeApplies } from '#domain/fees/registration-fee-rule.ts'
import type { ChecklistLine, GapCode } from '#domain/opening/checklist.ts'
import type { Gap } from '#domain/opening/endpoints.ts'
import { type Settings, settingsSchema } from '#domain/settings/settings.ts'
import type { Config } from '#server/config.ts'
import { isLocalDomain, senderDomain } from '#server/platform/mail.ts'
import type { Facts, Offer, Window } from './read-facts.ts'

export type Situation = {
  facts: Facts
  settings: Settings
  config: Pick<Config, 'demo' | 'mail' | 'publicUrl'>
  /**
   * Whether a bank issues numbers to pay to; `trial` if only a gateway's trial environment does, `waiting` if a
   * connection waits for approval.
   */
  bank: 'connected' | 'trial' | 'waiting' | 'none'
}

const gap = (code: GapCode, to: string | null, params: Record<string, string> = {}): Gap => ({ code, params, to })
const gapIf = (missing: boolean, ...gapParts: Parameters<typeof gap>) => (missing ? [gap(...gapParts)] : [])

/** Gap of a line whose rows belong to waves that do not exist yet. */
const afterWaves = gap('after_waves', '/master/periode')

const settingsPage = (section: string) => `/settings/general#${section}`
const defaults = settingsSchema.parse({})

/** Gaps of each line of the checklist. */
export const gapsOf: Record<ChecklistLine, (situation: Situation) => Gap[]> = {
  identity({ settings }) {
    const fields = {
      universityName: 'university_name',
      universityShortName: 'university_short_name',
      address: 'university_address',
      phone: 'university_phone',
      email: 'university_email',
      website: 'university_website',
    } as const
    return (Object.keys(fields) as (keyof typeof fields)[]).flatMap((key) =>
      gapIf(settings[key] === defaults[key], fields[key], settingsPage('identity')),
    )
  },
  look: ({ settings }) => [
    ...gapIf(settings.logoFileId === null, 'logo', settingsPage('look')),
    ...gapIf(settings.primaryColour === defaults.primaryColour, 'colour', settingsPage('look')),
  ],
  privacy: ({ settings: { privacyNotice } }) => [
    ...gapIf(privacyNotice.id === '', 'notice_id', settingsPage('privacy')),
    ...gapIf(privacyNotice.en === '', 'notice_en', settingsPage('privacy')),
  ],
  letters: ({ settings }) =>
    gapIf(settings.signatoryName === defaults.signatoryName, 'signatory', settingsPage('documents')),
  people({ facts: { administrators, admissionsStaff, financeStaff } }) {
    if (administrators > 1) return []
    const missing = [
      ...gapIf(admissionsStaff === 0, 'admissions_staff', '/settings/accounts/create'),
      ...gapIf(financeStaff === 0, 'finance_staff', '/settings/accounts/create'),
    ]
    return missing.length === 0 ? [] : [gap('second_administrator', '/settings/accounts/create'), ...missing]
  },
  programmes: ({ facts }) => [
    ...gapIf(facts.faculties === 0, 'faculty', '/master/fakultas/create'),
    ...gapIf(facts.programmes === 0, 'programme', '/master/prodi/create'),
    ...gapIf(facts.classProgrammes === 0, 'class_programme', '/master/program/create'),
    ...gapIf(facts.entryLevels === 0, 'entry_level', '/master/jenjang-pendaftaran/create'),
  ],
  tracks: ({ facts }) => gapIf(facts.tracks === 0, 'track', '/master/jalur/create'),
  files: ({ facts }) => [
    ...gapIf(facts.tracks === 0, 'after_tracks', '/master/jalur/create'),
    ...facts.tracksWithoutFiles.map(({ id, name }) =>
      gap('track_files', `/master/jalur/view/${id}?tab=jalur-file`, { track: name }),
    ),
  ],
  waves: ({ facts }) =>
    facts.waves.length === 0
      ? [gap('wave', '/master/periode/create')]
      : facts.waves.flatMap((wave) => gapsOfWave(facts, wave)),
  fees: ({ facts }) => {
    if (pairs(facts).length === 0) return [afterWaves]
    const unpriced = pairs(facts).filter(
      ({ window, offer }) =>
        !window.freeOfFee &&
        !facts.fees.some(
          (fee) =>
            fee.waveId === window.waveId && feeApplies(fee, { ...window, classProgrammeId: offer.classProgrammeId }),
        ),
    )
    return firstOfEach(unpriced, ({ window }) => `${window.waveId} ${window.trackId}`).map(({ window }) =>
      gap('registration_fee', '/master/biaya-pendaftaran/create', { wave: window.waveName, track: window.trackName }),
    )
  },
  tuition: ({ facts }) => gapsOfTuition(facts),
  plans: ({ facts }) => [
    ...gapIf(!facts.plans.some(({ terms }) => isWholePlan(terms)), 'plan', '/master/cicilan/create'),
    ...facts.plans
      .filter(({ terms }) => !isWholePlan(terms))
      .map(({ id, name }) => gap('plan_terms', `/master/cicilan/${id}`, { plan: name })),
  ],
  tests: ({ facts }) =>
    facts.windows.length === 0
      ? [afterWaves]
      : firstOfEach(
          facts.windows.filter(({ hasTest, hasSession }) => hasTest && !hasSession),
          ({ waveId, trackId }) => `${waveId} ${trackId}`,
        ).map(({ waveName, trackName }) =>
          gap('test_session', '/master/jadwal-test/create', { wave: waveName, track: trackName }),
        ),
  bank: ({ bank }) => [
    ...gapIf(bank === 'none', 'bank', '/settings/providers/create'),
    ...gapIf(bank === 'waiting', 'bank_approval', '/persetujuan'),
    ...gapIf(bank === 'trial', 'bank_trial', '/settings/providers'),
  ],
  mail: ({ config: { demo, mail } }) =>
    demo
      ? []
      : [
          ...gapIf(mail.smtpUrl === undefined, 'smtp', null),
          ...gapIf(isLocalDomain(senderDomain(mail.from)), 'mail_from', null),
        ],
  address: ({ config: { demo, publicUrl } }) =>
    gapIf(!demo && !publicUrl.startsWith('https:'), 'public_url', null, { address: publicUrl }),
  whatsapp: ({ facts }) => gapIf(facts.whatsappConnections === 0, 'whatsapp', '/settings/whatsapp'),
}

/** Lines that have enough for opening registration despite gaps; their gaps are only advice then. */
export const enoughFor: Partial<Record<ChecklistLine, (situation: Situation) => boolean>> = {
  // A later wave may be prepared while an earlier one is complete.
  waves: ({ facts }) => facts.waves.some((wave) => gapsOfWave(facts, wave).length === 0),
  bank: ({ bank }) => bank === 'trial',
}

function gapsOfWave({ windows, offers }: Facts, wave: { id: string; name: string }): Gap[] {
  const windowsHere = windows.filter(({ waveId }) => waveId === wave.id)
  const offersHere = offers.filter(({ waveId }) => waveId === wave.id)
  const params = { wave: wave.name }
  if (windowsHere.length === 0 || offersHere.length === 0)
    return [
      ...gapIf(windowsHere.length === 0, 'wave_windows', '/master/jalur', params),
      ...gapIf(offersHere.length === 0, 'wave_programmes', '/master/prodi', params),
    ]
  const openLevels = new Set(windowsHere.map(({ entryLevelId }) => entryLevelId))
  const offeredLevels = new Set(offersHere.map(({ entryLevelId }) => entryLevelId))
  return [
    ...windowsHere
      .filter(({ entryLevelId }) => !offeredLevels.has(entryLevelId))
      .map(({ trackName, entryLevelName }) =>
        gap('window_programmes', '/master/prodi', { ...params, track: trackName, level: entryLevelName }),
      ),
    ...firstOfEach(
      offersHere.filter(({ entryLevelId }) => !openLevels.has(entryLevelId)),
      ({ programmeId, entryLevelId }) => `${programmeId} ${entryLevelId}`,
    ).map(({ programmeName, entryLevelName }) =>
      gap('programme_window', '/master/jalur', { ...params, programme: programmeName, level: entryLevelName }),
    ),
  ]
}

/** Every window with every offer of its wave and entry level: the applicant's choices. */
const pairs = ({ windows, offers }: Facts): { window: Window; offer: Offer }[] =>
  windows.flatMap((window) =>
    offers
      .filter((offer) => offer.waveId === window.waveId && offer.entryLevelId === window.entryLevelId)
      .map((offer) => ({ window, offer })),
  )

function gapsOfTuition(facts: Facts): Gap[] {
  if (pairs(facts).length === 0) return [afterWaves]
  const keyOf = (
    trackId: string | null,
    { waveId, programmeId, classProgrammeId }: Omit<Facts['tuition'][number], 'trackId'>,
  ) => `${waveId} ${programmeId} ${classProgrammeId} ${trackId}`
  const priced = new Set(facts.tuition.map((row) => keyOf(row.trackId, row)))
  const unpriced = pairs(facts).filter(
    ({ window, offer }) => !priced.has(keyOf(null, offer)) && !priced.has(keyOf(window.trackId, offer)),
  )
  const pricedOnSomeTrack = new Set(facts.tuition.map((row) => keyOf(null, row)))
  const whole = unpriced.filter(({ offer }) => !pricedOnSomeTrack.has(keyOf(null, offer)))
  const ofTrack = unpriced.filter(({ offer }) => pricedOnSomeTrack.has(keyOf(null, offer)))
  const page = ({ programmeId, waveId }: Offer) => `/master/prodi/view/${programmeId}?tab=uang-kuliah&wave=${waveId}`
  const names = ({ waveName, programmeName, className }: Offer) => ({
    wave: waveName,
    programme: programmeName,
    class: className,
  })
  return [
    ...firstOfEach(whole, ({ offer }) => keyOf(null, offer)).map(({ offer }) =>
      gap('tuition', page(offer), names(offer)),
    ),
    ...firstOfEach(ofTrack, ({ window, offer }) => keyOf(window.trackId, offer)).map(({ window, offer }) =>
      gap('tuition_of_track', `${page(offer)}&track=${window.trackId}`, { ...names(offer), track: window.trackName }),
    ),
  ]
}

/** The first row of each key. */
const firstOfEach = <R>(rows: readonly R[], keyOf: (row: R) => string): R[] =>
  [...new Map(rows.toReversed().map((row) => [keyOf(row), row])).values()].toReversed()
