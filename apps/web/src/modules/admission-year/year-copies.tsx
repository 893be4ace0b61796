import { Alert, Button, Group, List, Modal, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listAdmissionYears, readYearUndo, undoAdmissionYear, type YearCopy } from '#domain/admission-year/endpoints.ts'
import { sectionRules, yearSections } from '#domain/admission-year/sections.ts'
import { getEntity } from '#entities/index.ts'
import { dateTime } from '#locales/format.ts'
import type { ApiError } from '#web/api/client.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useEntityWords } from '#web/resource/words.ts'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
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

/** Before anything happens, says which rows undoing the copy would delete, or why it is refused. */
export function UndoButton({ copy, onDone }: { copy: YearCopy; onDone?: () => void }) {
  const { t } = useTranslation('admission-year')
  const close = useTranslation('common').t('actions.close')
  const queries = useQueryClient()
  const [opened, setOpened] = useState(false)
  const answer = useEndpoint(readYearUndo, { params: { id: copy.id } }, { enabled: opened, staleTime: 0, gcTime: 0 })
  const undo = useMutation<unknown, ApiError>({
    mutationFn: () => sendOnce(undoAdmissionYear, { params: { id: copy.id } }),
    onSuccess: () => {
      notifications.show({ message: t('undo.done', { year: copy.academicYear }), color: 'green' })
      void queries.invalidateQueries({ queryKey: keyOf(listAdmissionYears) })
      void queries.invalidateQueries({ predicate: ({ queryKey: [path] }) => String(path).startsWith('/master/') })
      setOpened(false)
      onDone?.()
    },
    onError: () => void answer.refetch(),
  })
  const facts = answer.data?.data
  const failure = undo.error ?? answer.error
  return (
    <>
      <Button variant="default" size="sm" onClick={() => setOpened(true)} aria-haspopup="dialog">
        {t('undo.open')}
      </Button>
      <Modal
        opened={opened}
        onClose={() => setOpened(false)}
        title={t('undo.title', { year: copy.academicYear })}
        centered
        closeButtonProps={{ 'aria-label': close }}
      >
        <Stack>
          {answer.isPending && <LoadingRows rows={2} />}
          {failure && (
            <Alert color="red" variant="light" role="alert">
              {failure.message}
            </Alert>
          )}
          {facts && facts.usedBy.length > 0 && (
            <Alert color="orange" variant="light" title={t('undo.used')}>
              <List size="sm">
                {facts.usedBy.map(({ what, count }) => (
                  <List.Item key={what}>
                    {count} {what}
                  </List.Item>
                ))}
              </List>
            </Alert>
          )}
          {facts && facts.usedBy.length === 0 && <Text>{t('undo.text', { count: facts.rows })}</Text>}
          {facts && facts.usedBy.length === 0 && facts.changedSince > 0 && (
            <Alert color="orange" variant="light">
              {t('undo.changed', { count: facts.changedSince })}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setOpened(false)} data-autofocus>
              {t('undo.keep')}
            </Button>
            <Button
              color="red.9"
              disabled={!facts || facts.usedBy.length > 0}
              loading={undo.isPending}
              onClick={() => undo.mutate()}
            >
              {t('undo.open')}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}
