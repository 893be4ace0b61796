import { Alert, Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { StickyBar } from '#web/ui/sticky-bar.tsx'
import type { TuitionSaving } from './use-save-tuition.ts'
import type { TuitionEdits } from './use-tuition-edits.ts'

/** Number of changed cells, refusals, and the buttons that save or discard the changes. */
export function SaveBar({ edits, saving }: { edits: TuitionEdits; saving: TuitionSaving }) {
  const { t } = useTranslation('fees')
  const isDirty = edits.changed.length > 0
  return (
    <>
      <Text size="sm" c="dimmed" px={20} py={8} visibleFrom="sm">
        {t('grid.keys')}
      </Text>
      <Refusal saving={saving} />
      <StickyBar>
        <Text size="sm" role="status" aria-live="polite">
          {edits.wrong.length > 0
            ? t('grid.wrongCells', { count: edits.wrong.length })
            : isDirty
              ? t('grid.changed', { count: edits.changed.length })
              : t('grid.nothingChanged')}
        </Text>
        <Group gap="sm">
          <Button variant="default" size="sm" disabled={!isDirty || saving.busy} onClick={() => saving.discard()}>
            {t('discard')}
          </Button>
          <Button size="sm" disabled={!isDirty || edits.wrong.length > 0} loading={saving.busy} onClick={saving.save}>
            {t('save')}
          </Button>
        </Group>
      </StickyBar>
    </>
  )
}

function Refusal({ saving: { conflictingKeys, formError, discard } }: { saving: TuitionSaving }) {
  const { t } = useTranslation('fees')
  const isConflict = conflictingKeys.length > 0
  if (!isConflict && !formError) return null
  return (
    <Alert color="red" variant="light" mx={20} mb="sm" role="alert">
      {isConflict ? t('grid.conflicts', { count: conflictingKeys.length }) : formError}
      {isConflict && (
        <Group mt="xs">
          <Button size="xs" variant="default" onClick={() => discard(conflictingKeys)}>
            {t('grid.takeTheirs')}
          </Button>
        </Group>
      )}
    </Alert>
  )
}
