import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'
import { colourPattern, isUsableColour } from './palette.ts'
import { monthNames, type SettingsSection } from './sections.ts'
import { settingsSchema, settingsSections } from './settings.ts'

const editedBy = z.object({ at: time, by: z.string().nullable() }).nullable()

const generalSettings = z.object({
  values: settingsSchema,
  logoUrl: z.string().nullable(),
  /** Version of each section; an edit sends the version it started from. */
  versions: z.record(z.string(), z.int()),
  edited: z.record(z.string(), editedBy),
})
export type GeneralSettings = z.output<typeof generalSettings>

const response = z.object({ data: generalSettings })

export const readGeneralSettings = endpoint({
  method: 'GET',
  path: '/settings/general',
  access: 'settings-general-view',
  summary: 'General settings, with the version of each section',
  response,
})

/** All keys of a section are required, so a missing key never resets a value. */
const bodyOf = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject({
    ...(Object.fromEntries(
      Object.entries(shape).map(([key, schema]) => [key, (schema as z.ZodDefault).unwrap()]),
    ) as unknown as { [K in keyof S]: S[K] extends z.ZodDefault<infer Inner> ? Inner : S[K] }),
    version: z.int().min(0),
  })

export const saveIdentity = endpoint({
  method: 'PUT',
  path: '/settings/general/identity',
  access: 'settings-general-update',
  summary: 'Name, address and contact of the university',
  body: bodyOf(settingsSections.identity),
  response,
})

export const saveLook = endpoint({
  method: 'PUT',
  path: '/settings/general/look',
  access: 'settings-general-update',
  summary: 'Primary colour; the shades that need contrast are derived from it',
  body: bodyOf(settingsSections.look),
  rules: ({ primaryColour }) => ({
    primaryColour:
      primaryColour === undefined
        ? null
        : !colourPattern.test(primaryColour)
          ? 'colour_format'
          : isUsableColour(primaryColour)
            ? null
            : 'colour_unusable',
  }),
  response,
})

export const savePlace = endpoint({
  method: 'PUT',
  path: '/settings/general/place',
  access: 'settings-general-update',
  summary: 'Time zone of the university, and names of months',
  body: bodyOf(settingsSections.place),
  response,
})

export const saveNumbers = endpoint({
  method: 'PUT',
  path: '/settings/general/numbers',
  access: 'settings-general-update',
  summary: 'Templates of the numbers of registrations, bills, receipts and students',
  body: bodyOf(settingsSections.numbers),
  response,
})

export const saveEnrolment = endpoint({
  method: 'PUT',
  path: '/settings/general/enrolment',
  access: 'settings-general-update',
  summary: 'When an applicant becomes a student',
  body: bodyOf(settingsSections.enrolment),
  response,
})

export const saveDecisions = endpoint({
  method: 'PUT',
  path: '/settings/general/decisions',
  access: 'settings-general-update',
  summary: 'What warns before an acceptance, and what refuses it',
  body: bodyOf(settingsSections.decisions),
  response,
})

export const saveOffers = endpoint({
  method: 'PUT',
  path: '/settings/general/offers',
  access: 'settings-general-update',
  summary: 'How long an offer waits for an answer, and whether applicants may ask for another study programme',
  body: bodyOf(settingsSections.offers),
  response,
})

export const saveTests = endpoint({
  method: 'PUT',
  path: '/settings/general/tests',
  access: 'settings-general-update',
  summary: 'When people are reminded of their test, and how long a freed seat is offered to the waiting list',
  body: bodyOf(settingsSections.tests),
  response,
})

export const saveScoreRules = endpoint({
  method: 'PUT',
  path: '/settings/general/scores',
  access: 'settings-general-update',
  summary: 'By how much two assessors may differ before a third decides',
  body: bodyOf(settingsSections.scores),
  response,
})

export const saveAffiliateRules = endpoint({
  method: 'PUT',
  path: '/settings/general/affiliates',
  access: 'settings-general-update',
  summary: 'Which visit brings an account, and the tax withheld from commission',
  body: bodyOf(settingsSections.affiliates),
  response,
})

export const saveChatRules = endpoint({
  method: 'PUT',
  path: '/settings/general/chat',
  access: 'settings-general-update',
  summary: 'When the office answers, how soon, and when unread answers go out by mail as well',
  body: bodyOf(settingsSections.chat),
  response,
})

export const saveSendingRules = endpoint({
  method: 'PUT',
  path: '/settings/general/sending',
  access: 'settings-general-update',
  summary: 'How fast campaigns go out by e-mail, when they rest, and when a second person approves',
  body: bodyOf(settingsSections.sending),
  response,
})

export const savePaymentRules = endpoint({
  method: 'PUT',
  path: '/settings/general/payments',
  access: 'settings-general-update',
  summary: 'How long an answer to a proof of transfer usually takes',
  body: bodyOf(settingsSections.payments),
  response,
})

export const saveDocuments = endpoint({
  method: 'PUT',
  path: '/settings/general/documents',
  access: 'settings-general-update',
  summary: 'Signatory of documents, and what the driving licence is called',
  body: bodyOf(settingsSections.documents),
  response,
})

export const savePrivacy = endpoint({
  method: 'PUT',
  path: '/settings/general/privacy',
  access: 'settings-general-update',
  summary: 'Version of the consent, whether stages are public, and how long what is kept',
  body: bodyOf(settingsSections.privacy),
  response,
})

export const saveSection = {
  identity: saveIdentity,
  look: saveLook,
  place: savePlace,
  numbers: saveNumbers,
  enrolment: saveEnrolment,
  decisions: saveDecisions,
  payments: savePaymentRules,
  offers: saveOffers,
  tests: saveTests,
  scores: saveScoreRules,
  affiliates: saveAffiliateRules,
  chat: saveChatRules,
  sending: saveSendingRules,
  documents: saveDocuments,
  privacy: savePrivacy,
} as const satisfies Record<SettingsSection, unknown>

export const uploadLogo = endpoint({
  method: 'POST',
  path: '/settings/general/logo',
  access: 'settings-general-update',
  summary: 'Send the logo (multipart, field `file`)',
  upload: true,
  response,
})

export const removeLogo = endpoint({
  method: 'DELETE',
  path: '/settings/general/logo',
  access: 'settings-general-update',
  summary: 'Show the product’s own mark instead of a logo',
  response,
})

const branding = z.object({
  name: z.string(),
  shortName: z.string(),
  logo: z.string().nullable(),
  /** Ten shades from light to dark; empty for the product's default colour. */
  shades: z.array(z.string()),
  timeZone: z.string(),
  monthNames: z.enum(monthNames),
  /** Whether all data is invented; every page then says so. */
  demo: z.boolean(),
  /** Whether applicants may sign up and apply. */
  registrationOpen: z.boolean(),
})
export type Branding = z.output<typeof branding>

export const readBranding = endpoint({
  method: 'GET',
  path: '/branding',
  access: 'public',
  summary: 'Name, logo and colours, as every page shows them',
  response: z.object({ data: branding }),
})

export const readInstallation = endpoint({
  method: 'GET',
  path: '/settings/installation',
  access: 'settings-general-update',
  summary: 'What the installation runs on',
  response: z.object({
    data: z.object({
      /** Runs a real installation on the embedded database, so everything is on one machine. */
      onOneMachine: z.boolean(),
    }),
  }),
})

export const readLogo = endpoint({
  method: 'GET',
  path: '/branding/logo/:id',
  access: 'public',
  summary: 'The logo; its address changes with it',
  params: z.object({ id: z.uuid() }),
  response: z.any(),
})
