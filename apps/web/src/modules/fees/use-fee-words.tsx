import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Answer } from '#domain/endpoint.ts'
import type { FeeRow, readFeeRule } from '#domain/fees/endpoints.ts'
import { type FeeReason, type FeeScope, feeParts } from '#domain/fees/registration-fee-rule.ts'

export type FeeRule = Answer<typeof readFeeRule>['data']

/** Texts and links for registration fee rows, and texts for the rule that ranks them. */
export function useFeeWords(rule: FeeRule) {
  const { t } = useTranslation('fees')
  const names = {
    trackId: new Map(rule.tracks.map(({ id, name }) => [id, name])),
    entryLevelId: new Map(rule.entryLevels.map(({ id, name }) => [id, name])),
    classProgrammeId: new Map(rule.classProgrammes.map(({ id, name }) => [id, name])),
  }
  const scopeText = (row: FeeScope) => {
    const parts = feeParts.flatMap((part) => {
      const id = row[part]
      return id === null ? [] : [names[part].get(id) ?? '?']
    })
    return parts.length > 0 ? parts.join(' · ') : t('rule.everybody')
  }
  const reasonText = (reason: FeeReason) =>
    reason.kind === 'names_more' ? t('rule.namesMore') : t(`rule.namesFirst.${reason.part}`)
  const linkTo = (row: FeeRow) => (
    <Anchor component={Link} to={`/master/biaya-pendaftaran/${row.id}`} size="sm">
      {scopeText(row)}
    </Anchor>
  )
  return { t, scopeText, reasonText, linkTo }
}

/** Every combination of track, entry level and class programme. */
export const combinationsOf = ({ tracks, entryLevels, classProgrammes }: FeeRule) =>
  tracks.flatMap((track) =>
    entryLevels.flatMap((level) =>
      classProgrammes.map((programme) => ({
        trackId: track.id,
        entryLevelId: level.id,
        classProgrammeId: programme.id,
        freeOfFee: track.freeOfFee,
      })),
    ),
  )

export const activeRows = (rule: FeeRule): FeeRow[] => rule.rows.filter(({ active }) => active)
