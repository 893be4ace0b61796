import { fillLetter } from '#domain/letters/letter-texts.ts'
import type { Language } from '#entities/define/language.ts'
import { longDate } from '#locales/format.ts'
import { logoBytes } from '#server/platform/branding.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings, type Settings } from '#server/platform/settings.ts'
import { sentences } from '#server/platform/text.ts'
import type { LetterDocument, LetterPage } from './draw-letters.ts'
import { letterAddress } from './letter-code.ts'
import type { LetterFacts } from './letter-facts.ts'

/** Letters with their text, for printing. */
export const lettersWithText = (db: Db) =>
  db
    .selectFrom('letters as l')
    .innerJoin('letterTemplates as t', 't.id', 'l.letterTemplateId')
    .innerJoin('letterKinds as k', 'k.id', 'l.letterKindId')
    .innerJoin('registrations as r', 'r.id', 'l.registrationId')
    .select(['l.id', 'l.number', 'l.language', 'l.facts', 'l.issuedAt', 'l.validUntil', 'l.state', 'l.fileId'])
    .select(['l.registrationId', 'l.withdrawnReason', 't.titleEn', 't.titleId', 't.bodyEn', 't.bodyId'])
    .select(['t.signatoryName', 't.signatoryTitle', 't.signatoryFileId', 'k.audience', 'k.code as kind'])
    .$narrowType<{ language: Language }>()

export type LetterWithText = Awaited<ReturnType<ReturnType<typeof lettersWithText>['executeTakeFirstOrThrow']>>

type TextInBothLanguages = { titleEn: string; titleId: string; bodyEn: string; bodyId: string }

/** Title and body in a language, with their placeholders. */
export const textOf = ({ titleEn, titleId, bodyEn, bodyId }: TextInBothLanguages, language: Language) =>
  language === 'en' ? { title: titleEn, body: bodyEn } : { title: titleId, body: bodyId }

/** Content of at least one letter for `drawLetters`; reads settings and pictures once. */
export async function letterDocument(
  services: Services,
  title: string,
  letters: readonly LetterWithText[],
): Promise<LetterDocument> {
  const settings = await getSettings(services.db)
  const signatures = new Map<string, Buffer | undefined>()
  for (const { signatoryFileId: fileId } of letters)
    if (fileId && !signatures.has(fileId)) signatures.set(fileId, await logoBytes(services, { logoFileId: fileId }))
  const { language, issuedAt } = letters[0]!
  return {
    title,
    language,
    createdAt: issuedAt,
    settings,
    logo: await logoBytes(services, settings),
    pages: letters.map((letter) => ({
      ...pageOf(services, settings, letter),
      signature: letter.signatoryFileId ? signatures.get(letter.signatoryFileId) : undefined,
    })),
  }
}

function pageOf(
  services: Services,
  settings: Readonly<Settings>,
  letter: LetterWithText,
): Omit<LetterPage, 'signature'> {
  const { language, number, issuedAt, validUntil } = letter
  const t = sentences(language)
  const date = longDate(issuedAt, language, settings.timeZone)
  const { title, body } = textOf(letter, language)
  const values = { ...(letter.facts as LetterFacts), number, date, university: settings.universityName }
  return {
    title: fillLetter(title, values),
    number: t('letters:pdf.number', { number }),
    body: fillLetter(body, values),
    validity: validUntil && t('letters:pdf.validUntil', { date: longDate(validUntil, language) }),
    footer: `${number} · ${settings.universityName}`,
    address: letterAddress(services, letter.id),
    addressWords: t('letters:pdf.verify'),
    date,
    signatoryTitle: letter.signatoryTitle || settings.signatoryTitle,
    signatoryName: letter.signatoryName || settings.signatoryName,
  }
}
