import { Alert, Button, List, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readYearUndo, undoAdmissionYear, type YearCopy } from '#domain/admission-year/endpoints.ts'
import { sectionRules, yearSections } from '#domain/admission-year/sections.ts'
import { getEntity } from '#entities/index.ts'
import { dateTime } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useForm } from '#web/api/use-form.ts'
import { useEntityWords } from '#web/resource/words.ts'
import { ConfirmDialog } from '#web/ui/confirm-button.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './year.module.css'

/** Lists the copied years with the number of rows written, and a button to undo each. */
export function YearCopies({ copies }: { copies: readonly YearCopy[] }) {
  const { t } = useTranslation('admission-year')
  const { language } = useSurroundings()
  return (
    <ul className={classes.rows}>
      {copies.map((copy) => (
        <li key={copy.id} className={classes.row} data-skipped={copy.undoneAt ? true : undefined}>
          <div className={classes.rowHead}>
            <div>
              <Text fw={600}>
                {copy.sourceYear} → {copy.academicYear}
              </Text>
              <Text size="sm" c="dimmed">
                {t('copies.by', { name: copy.createdBy, date: dateTime(copy.createdAt, language) })}
                {copy.undoneAt && ` · ${t('copies.undone', { date: dateTime(copy.undoneAt, language) })}`}
              </Text>
              <CopyCounts copy={copy} />
            </div>
            {!copy.undoneAt && <UndoButton copy={copy} />}
          </div>
        </li>
      ))}
    </ul>
  )
}

export function CopyCounts({ copy }: { copy: YearCopy }) {
  const { say } = useEntityWords()
  const countTexts = yearSections.flatMap((key) => {
    const count = copy.counts[key]
    const { label } = getEntity(sectionRules[key].entity)
    return count ? [`${count} ${say(count === 1 ? label.one : label.many).toLowerCase()}`] : []
  })
  return <Text size="sm">{countTexts.join(', ')}</Text>
}

export function UndoButton({ copy, onDone }: UndoProps) {
  const { t } = useTranslation('admission-year')
  const [asks, setAsks] = useState(false)
  return (
    <>
      <Button variant="default" size="sm" onClick={() => setAsks(true)} aria-haspopup="dialog">
        {t('undo.open')}
      </Button>
      {asks && <UndoDialog copy={copy} onDone={onDone} onClose={() => setAsks(false)} />}
    </>
  )
}

type UndoProps = { copy: YearCopy; onDone?: (() => void) | undefined }

/** Before anything happens, says which rows undoing the copy would delete, or why it is refused. */
function UndoDialog({ copy: { id, academicYear }, onDone, onClose }: UndoProps & { onClose: () => void }) {
  const { t } = useTranslation('admission-year')
  const { data, error, refetch } = useEndpoint(readYearUndo, { params: { id } }, { staleTime: 0, gcTime: 0 })
  const undo = useForm({
    call: undoAdmissionYear,
    params: { id },
    done: t('undo.done', { year: academicYear }),
    // Closes first: a year taken back has no preview any more.
    onDone: () => {
      onClose()
      onDone?.()
    },
    onRefused: () => refetch(),
  })
  const facts = data?.data
  const isUsed = facts !== undefined && facts.usedBy.length > 0
  return (
    <ConfirmDialog
      danger
      title={t('undo.title', { year: academicYear })}
      message={
        !facts ? (
          <LoadingOrFailed error={error} onRetry={refetch} rows={2} />
        ) : isUsed ? (
          <Alert color="orange" variant="light" title={t('undo.used')}>
            <List size="sm">
              {facts.usedBy.map(({ what, count }) => (
                <List.Item key={what}>
                  {count} {what}
                </List.Item>
              ))}
            </List>
          </Alert>
        ) : (
          <>
            <Text>{t('undo.text', { count: facts.rows })}</Text>
            {facts.changedSince > 0 && (
              <Alert color="orange" variant="light">
                {t('undo.changed', { count: facts.changedSince })}
              </Alert>
            )}
          </>
        )
      }
      confirmLabel={facts && !isUsed ? t('undo.open') : null}
      cancelLabel={t('undo.keep')}
      onConfirm={() => undo.send()}
      onClose={onClose}
    />
  )
}
