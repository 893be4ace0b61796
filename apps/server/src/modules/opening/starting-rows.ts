import type { StartingKind } from '#domain/opening/starting-kinds.ts'
import type { Language, Localized } from '#entities/define/language.ts'
import { messageEvents } from '#entities/messaging/message-events.ts'
import { messages as english } from '#locales/en/messages.ts'
import { percent } from '#locales/format.ts'
import { messages as indonesian } from '#locales/id/messages.ts'
import { sentences } from '#server/platform/text.ts'
import * as lists from './starting-lists.ts'

export type StartingDraft = {
  key: string
  title: Localized
  note: Localized | null
  /** The parent row, and the column that refers to it. */
  parent?: { key: string; column: string }
  values: Record<string, unknown>
  terms?: readonly { shareBps: number; dueDays: number }[]
}

type MasterKind = Exclude<StartingKind, 'privacyNotice'>

/** The entity of each kind; adding rows needs its create permission. */
export const entityOf: Record<MasterKind, string> = {
  degreeLevels: 'jenjang',
  entryLevels: 'jenjang-pendaftaran',
  classProgrammes: 'program',
  tracks: 'jalur',
  trackFiles: 'jalur-file',
  tests: 'list-test',
  feeComponents: 'rincian-dana',
  installmentPlans: 'cicilan',
  messageTemplates: 'notifikasi-whatsapp',
}

const inBoth = (text: string): Localized => ({ en: text, id: text })

const coded = <R extends { code: string; name: string }>(kind: MasterKind, rows: readonly R[]): StartingDraft[] =>
  rows.map((row) => ({
    key: `${kind}:${row.code}`,
    title: inBoth(row.name),
    note: inBoth(row.code),
    values: { ...row },
  }))

const template = (event: (typeof lists.templateEvents)[number]) => {
  const [en, id] = [english[event], indonesian[event]]
  return {
    key: `messageTemplates:${event}`,
    title: messageEvents[event],
    note: { en: en.subject, id: id.subject },
    values: {
      event,
      channel: 'email' as const,
      subjectEn: en.subject,
      bodyEn: en.body,
      subjectId: id.subject,
      bodyId: id.body,
    },
  }
}

/** Templates for mails, one for each event. */
export const templateDrafts = lists.templateEvents.map(template)

/** Rows of each kind of master data. */
export const startingDrafts: Record<MasterKind, readonly StartingDraft[]> = {
  degreeLevels: coded('degreeLevels', lists.degreeLevels),
  entryLevels: lists.entryLevels.map(({ degree, ...level }) => ({
    key: `entryLevels:${level.code}`,
    title: inBoth(level.name),
    note: inBoth(degree),
    parent: { key: `degreeLevels:${degree}`, column: 'degreeLevelId' },
    values: level,
  })),
  classProgrammes: coded('classProgrammes', lists.classProgrammes),
  tracks: coded('tracks', lists.tracks),
  trackFiles: lists.tracks.flatMap((track) =>
    lists.filesOfTrack(track.code).map((file, sortOrder) => ({
      key: `trackFiles:${track.code}:${file.name}`,
      title: inBoth(file.name),
      note: inBoth(track.name),
      parent: { key: `tracks:${track.code}`, column: 'trackId' },
      values: {
        name: file.name,
        nameEn: file.nameEn,
        stage: file.stage ?? 'registration',
        required: file.required,
        mayDefer: file.mayDefer,
        sortOrder,
        ...lists.fileLimits,
      },
    })),
  ),
  tests: coded('tests', lists.tests),
  feeComponents: coded('feeComponents', lists.feeComponents),
  installmentPlans: lists.installmentPlans.map(({ terms, ...plan }) => ({
    key: `installmentPlans:${plan.code}`,
    title: inBoth(plan.name),
    note: inBoth(terms.map(({ shareBps }) => percent(shareBps / 10_000)).join(' · ')),
    values: plan,
    terms,
  })),
  messageTemplates: templateDrafts,
}

const noticeParts = ['what', 'why', 'who', 'long', 'rights'] as const

const noticeIn = (language: Language) => {
  const t = sentences(language)
  return noticeParts
    .map((part) => `${t(`accounts:privacy.${part}`)}\n${t(`accounts:privacy.${part}Text`)}`)
    .join('\n\n')
}

/** The built-in privacy notice, as a text the university can edit. */
export const startingNotice = (): Localized => ({ en: noticeIn('en'), id: noticeIn('id') })

/** Key of the privacy notice among the rows. */
export const noticeKey = 'privacyNotice:notice'
