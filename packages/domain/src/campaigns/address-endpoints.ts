import { z } from 'zod'
import { onField } from '#domain/body-check.ts'
import { endpoint, type Problems } from '#domain/endpoint.ts'
import { rowVersion } from '#domain/row-version.ts'
import { oneLinePattern } from '#entities/define/one-line.ts'
import { typedLine, typedText } from '#entities/define/typed-text.ts'
import { emailOf, phoneOf } from './addresses.ts'
import { audiences, marketingPurposes, textFields } from './campaigns.ts'
import { campaignAccess, placeholderProblem } from './endpoints.ts'

const byId = z.object({ id: z.uuid() })
const done = z.object({ data: z.object({ id: z.uuid() }) })
const line = (max: number) => typedLine().min(1).max(max)

export const liftSuppression = endpoint({
  method: 'POST',
  path: '/kirim-informasi/suppressions/:id/lift',
  ...campaignAccess,
  summary: 'Write to an address again',
  params: byId,
  body: z.strictObject({ version: rowVersion }),
  response: done,
})

export const noteOptOut = endpoint({
  method: 'POST',
  path: '/kirim-informasi/opt-outs',
  ...campaignAccess,
  summary: 'Note that somebody said at the counter or by phone that they want no more messages of a purpose',
  body: z.strictObject({
    /** Phone number or e-mail address. */
    address: line(254),
    purpose: z.enum(marketingPurposes),
    note: line(300),
  }),
  rules: ({ address }: { address?: string }) => ({
    address: onField(address, (text) => (phoneOf(text) || emailOf(text) ? null : 'opt_out_address')),
  }),
  response: done,
})

export const liftOptOut = endpoint({
  method: 'POST',
  path: '/kirim-informasi/opt-outs/:id/lift',
  ...campaignAccess,
  summary: 'Undo an opt-out because the person asked for it, with what they said',
  params: byId,
  body: z.strictObject({ version: rowVersion, note: line(300) }),
  response: done,
})

const template = {
  name: line(120),
  audience: z.enum(audiences),
  /** Template name at Meta; null if the text is not approved for WhatsApp. */
  providerTemplate: typedLine()
    .max(100)
    .regex(/^[a-z0-9_]+$/)
    .nullable(),
  subjectId: typedText().min(1).max(200).regex(oneLinePattern),
  subjectEn: typedText().min(1).max(200).regex(oneLinePattern),
  bodyId: line(4000),
  bodyEn: line(4000),
  active: z.boolean(),
}

function templateProblems(input: Partial<z.output<z.ZodObject<typeof template>>>): Problems {
  return Object.fromEntries(textFields.map((field) => [field, placeholderProblem(input[field], input.audience)]))
}

export const createTemplate = endpoint({
  method: 'POST',
  path: '/kirim-informasi/templates',
  ...campaignAccess,
  shared: 'shared_needs_whole_view',
  summary: 'A new text for campaigns',
  body: z.strictObject(template),
  rules: templateProblems,
  response: done,
})

export const updateTemplate = endpoint({
  method: 'PUT',
  path: '/kirim-informasi/templates/:id',
  ...campaignAccess,
  shared: 'shared_needs_whole_view',
  summary: 'Change a text; campaigns that are planned keep the old one',
  params: byId,
  body: z.strictObject({ ...template, version: rowVersion }),
  rules: templateProblems,
  response: done,
})

const token = z.object({ token: z.string().min(10).max(400) })
const choice = z.object({
  /** Masked, because anyone with the link can open the page. */
  address: z.string(),
  university: z.string(),
  purposes: z.array(z.object({ purpose: z.enum(marketingPurposes), optedOut: z.boolean() })),
})

export const readOptOut = endpoint({
  method: 'GET',
  path: '/opt-out/:token',
  access: 'public',
  summary: 'What the owner of an opt-out link receives; 404 for a link that was not made here',
  params: token,
  response: z.object({ data: choice }),
})

export const saveOptOut = endpoint({
  method: 'PUT',
  path: '/opt-out/:token',
  access: 'public',
  summary: 'Opt out of purposes, or back in, by the link in a message',
  params: token,
  body: z.strictObject({ optedOut: z.array(z.enum(marketingPurposes)).max(marketingPurposes.length) }),
  response: z.object({ data: choice }),
})

const ownChoice = z.object({
  data: z.object({
    purposes: z.array(
      z.object({
        purpose: z.enum(marketingPurposes),
        optedOut: z.boolean(),
        /**
         * False if an opt-out made outside the account's settings covers an address that the account has not proven.
         */
        mayUndo: z.boolean(),
      }),
    ),
  }),
})

export const readOwnOptOuts = endpoint({
  method: 'GET',
  path: '/account/opt-outs',
  access: 'signed-in',
  summary: 'Purposes of which the own account wants no messages',
  response: ownChoice,
})

export const saveOwnOptOuts = endpoint({
  method: 'PUT',
  path: '/account/opt-outs',
  access: 'signed-in',
  summary: 'Opt the own e-mail address and phone number out of purposes, or back in',
  body: z.strictObject({ optedOut: z.array(z.enum(marketingPurposes)).max(marketingPurposes.length) }),
  response: ownChoice,
})

/** RFC 8058: a mail program's unsubscribe button posts a form here without opening a page. */
export const optOutAtOnce = endpoint({
  method: 'POST',
  path: '/opt-out/:token',
  access: 'public',
  summary: 'One-click opt-out of the purpose of a mail (RFC 8058)',
  params: token,
  upload: true,
  response: z.object({ data: z.object({ optedOut: z.literal(true) }) }),
})

/** Report about one mail. `messageId` identifies the mail, and `address` the mailbox. */
export const mailReport = z.object({
  kind: z.enum(['bounce', 'complaint', 'delivered']),
  /** With or without angle brackets. */
  messageId: z.string().max(400).optional(),
  address: typedText().toLowerCase().max(254).optional(),
  permanent: z.boolean().default(true),
  detail: z.string().max(1000).optional(),
})
export type MailReport = z.output<typeof mailReport>

export const mailReportsBody = z.object({ reports: z.array(z.unknown()).max(1000) })

/** Parses reports one by one, so that an unreadable report does not reject the rest. */
export const reportMails = endpoint({
  method: 'POST',
  path: '/mail-reports',
  access: 'public',
  summary:
    'Bounces, complaints and deliveries of the mail service, as { reports: [{ kind, messageId or address, permanent, detail }] }, with the secret of the setting MAIL_REPORT_SECRET as bearer',
  response: z.object({ data: z.object({ taken: z.int(), unreadable: z.int() }) }),
})
