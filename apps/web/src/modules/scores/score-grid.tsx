import { ActionIcon, Text, TextInput } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { type FocusEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { assessorParts, differenceOf, hasAssessors, type Marks, needsThird } from '#domain/scores/assessors.ts'
import type { ScoreRow, TestChoice } from '#domain/scores/endpoints.ts'
import { percent } from '#locales/format.ts'
import { type InputProps, useGridFocus } from '#web/ui/form/use-grid-focus.ts'
import { ScrollBox } from '#web/ui/scroll-box.tsx'
import { HistoryDialog } from './history-dialog.tsx'
import { ReasonDialog } from './reason-dialog.tsx'
import classes from './scores.module.css'
import { isSaved, readTyped } from './typed-scores.ts'
import type { ScoreDrafts } from './use-score-drafts.ts'
import { scoreText } from './words.ts'

type Props = {
  test: TestChoice
  limitPercent: number
  rows: readonly ScoreRow[]
  drafts: ScoreDrafts
}

/** A row for each person of the session; it is saved when the focus leaves it. */
export function ScoreGrid({ test, limitPercent, rows, drafts }: Props) {
  const { t } = useTranslation('scores')
  const { table, inputProps } = useGridFocus()
  const [historyOf, setHistoryOf] = useState<ScoreRow | null>(null)
  const assessed = hasAssessors(test.kind)
  const askedRow = rows.find(({ registrationId }) => drafts.stateOf(registrationId).needsReason)
  return (
    <>
      <ScrollBox style={{ overflowX: 'auto' }}>
        <table ref={table} className={classes.grid} aria-label={t('entry.grid', { test: test.name })}>
          <thead>
            <tr>
              <th scope="col">{t('entry.person')}</th>
              {assessed ? (
                <>
                  {assessorParts.map((part) => (
                    <th key={part} scope="col">
                      {t(`entry.${part}`)}
                    </th>
                  ))}
                  <th scope="col">{t('entry.difference')}</th>
                  <th scope="col">{t('entry.result')}</th>
                </>
              ) : (
                <th scope="col">
                  {t('entry.score')} ({t('entry.outOf', { maximum: test.maxScore })})
                </th>
              )}
              <th scope="col">{t('entry.state')}</th>
              <th scope="col">{t('entry.history')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <Row
                key={row.registrationId}
                row={row}
                test={test}
                limitPercent={limitPercent}
                drafts={drafts}
                inputProps={(column) => inputProps(index, column)}
                onHistory={() => setHistoryOf(row)}
              />
            ))}
          </tbody>
        </table>
      </ScrollBox>
      {historyOf && <HistoryDialog row={historyOf} test={test} onClose={() => setHistoryOf(null)} />}
      {askedRow && (
        <ReasonDialog
          title={t(askedRow.decided ? 'entry.reasonTitle' : 'entry.reasonTitlePrepared', { name: askedRow.name })}
          onSave={(reason) => drafts.save(askedRow, test.maxScore, reason)}
          onClose={() => drafts.setState(askedRow.registrationId, {})}
        />
      )}
    </>
  )
}

type RowProps = Omit<Props, 'rows'> & {
  row: ScoreRow
  inputProps: (column: number) => InputProps
  onHistory: () => void
}

function Row({ row, test, limitPercent, drafts, inputProps, onHistory }: RowProps) {
  const { t } = useTranslation('scores')
  const assessed = hasAssessors(test.kind)
  const texts = drafts.textsAt(row)
  const marks = texts.map((text) => readTyped(text) ?? null) as unknown as Marks
  const isThirdOpen = needsThird(marks, test.maxScore, limitPercent)
  const difference = assessed ? differenceOf(marks) : null
  const saveOnLeave = ({ currentTarget, relatedTarget }: FocusEvent<HTMLTableRowElement>) => {
    if (!currentTarget.contains(relatedTarget as Node | null)) void drafts.save(row, test.maxScore)
  }
  const errorOf = (text: string) => {
    const value = readTyped(text)
    if (value === undefined) return t('entry.notNumber')
    return value !== null && value > test.maxScore ? t('entry.tooHigh', { maximum: test.maxScore }) : undefined
  }
  return (
    <tr onBlur={saveOnLeave}>
      <th scope="row">
        {row.name}
        <Text component="span" display="block" size="sm" c="dimmed">
          {row.code}
        </Text>
      </th>
      {texts.map((text, column) => (
        <td key={column}>
          <TextInput
            className={classes.input}
            inputMode="decimal"
            autoComplete="off"
            aria-label={`${assessed ? t(`entry.${assessorParts[column]!}`) : t('entry.score')}: ${row.name}`}
            value={text}
            error={errorOf(text)}
            description={assessed ? row.assessors[column] : null}
            inputWrapperOrder={['input', 'description', 'error']}
            disabled={row.absent || (assessed && column === 2 && !isThirdOpen && text === '')}
            onChange={(event) => drafts.type(row, column, event.currentTarget.value)}
            {...inputProps(column)}
          />
        </td>
      ))}
      {assessed && (
        <>
          <td className="tabular">
            {scoreText(difference)}
            {isThirdOpen && (
              <Text component="span" display="block" size="sm" c="dimmed">
                {t('entry.needsThird', { limit: percent(limitPercent / 100) })}
              </Text>
            )}
          </td>
          <td className="tabular">{scoreText(row.score)}</td>
        </>
      )}
      <td>
        <State row={row} drafts={drafts} texts={texts} assessed={assessed} />
      </td>
      <td>
        {row.version > 0 && (
          <ActionIcon
            variant="subtle"
            size="lg"
            aria-label={`${t('entry.history')}: ${row.name}`}
            aria-haspopup="dialog"
            onClick={onHistory}
          >
            <IconHistory size={20} aria-hidden="true" />
          </ActionIcon>
        )}
      </td>
    </tr>
  )
}

type StateProps = { row: ScoreRow; drafts: ScoreDrafts; texts: readonly string[]; assessed: boolean }

function State({ row, drafts, texts, assessed }: StateProps) {
  const { t } = useTranslation('scores')
  const { saving, failure } = drafts.stateOf(row.registrationId)
  if (failure)
    return (
      <Text size="sm" c="var(--mantine-color-error)" role="alert">
        {failure}
      </Text>
    )
  const words = row.absent
    ? t('entry.absent')
    : saving
      ? t('entry.saving')
      : !isSaved(row, texts, assessed)
        ? t('entry.unsaved')
        : row.version > 0
          ? t('entry.saved')
          : ''
  return (
    <Text size="sm" c="dimmed" role="status">
      {words}
      {row.needsReason && !row.absent && (
        <Text component="span" display="block" size="sm">
          {t(row.decided ? 'entry.decided' : 'entry.prepared')}
        </Text>
      )}
    </Text>
  )
}
