import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { undoMerge } from '#domain/schools/endpoints.ts'
import { listMerges, type SchoolMerge } from '#domain/schools/lists.ts'
import { dateTime, wholeNumber } from '#locales/format.ts'
import { sendOnce } from '#web/api/send.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { useMayDecide, useSchoolRefresh } from './use-school-data.ts'
import { useUndone } from './use-undone.ts'

/** Merges with their schools and authors; each can be undone. */
export default function MergesPage() {
  const { t } = useTranslation('schools')
  const title = useScreenTitle()
  const { language } = useSurroundings()
  const refresh = useSchoolRefresh()
  const describeUndo = useUndone()
  const mayDecide = useMayDecide()
  const undo = async ({ id }: SchoolMerge) => {
    try {
      describeUndo((await sendOnce(undoMerge, { params: { id } })).data)
    } catch (error) {
      notifications.show({ message: (error as Error).message, color: 'red' })
      throw error
    } finally {
      refresh()
    }
  }
  const state = (row: SchoolMerge) =>
    row.undoneAt ? (
      <StatusDot tone="stopped" label={t('merges.states.undone')} />
    ) : (
      mayDecide && (
        <ConfirmButton
          size="compact-sm"
          variant="default"
          title={t('merges.undoTitle', { name: row.schoolName })}
          message={t('merges.undoText')}
          confirmLabel={t('merges.undo')}
          onConfirm={() => undo(row)}
          children={t('merges.undo')}
        />
      )
    )
  const merged = (row: SchoolMerge) => (
    <div style={{ padding: '4px 0' }}>
      {row.merged.map(({ npsn, name }) => (
        <Text key={npsn} size="sm">
          {name}{' '}
          <Text span size="xs" c="dimmed">
            {npsn}
          </Text>
        </Text>
      ))}
    </div>
  )
  return (
    <DataList
      list={listMerges}
      title={title}
      rowTitle={({ schoolName }) => schoolName}
      cells={{ mergedNames: merged, state }}
      card={(row) => (
        <div>
          <Text size="sm" c="dimmed" mt={4}>
            {t('merges.merged')}:
          </Text>
          {merged(row)}
          <Text size="sm" c="dimmed" mb={8}>
            {[`${t('merges.moved')}: ${wholeNumber(row.moved)}`, row.mergedBy, dateTime(row.mergedAt, language)]
              .filter(Boolean)
              .join(' · ')}
          </Text>
          {state(row)}
        </div>
      )}
      empty={{ title: t('merges.empty'), text: t('merges.emptyText') }}
    />
  )
}
